#!/usr/bin/env python3
"""The house rules, a sentence each. Prints file:line and the sentence for each one broken; exit code 1.

A rule is one function below: it takes a File and yields the lines where it is broken, each with what
was found there. @rule gives it its sentence and says which files it reads. tools/test_house_rules.py
holds a good and a bad example of each.
"""
import dataclasses
import pathlib
import re
import subprocess
import sys
import typing

import named_paths
from cpp_text import code_only, functions, types, without_preprocessor

CPP = (".h", ".cpp")
CODE = CPP + (".py", ".sh", ".cmake", ".ts", ".js")
LONG_FILE, LONGEST_FILE, LONGEST_FUNCTION, WIDEST = 400, 600, 80, 120


class File:
    """A tracked text file: its path from the root of the repository, and what is in it."""

    def __init__(self, path, text):
        self.path = path
        self.name = path.rsplit("/", 1)[-1]
        self.suffix = pathlib.PurePosixPath(path).suffix
        self.text = text
        self.lines = text.split("\n")
        self._code = None

    @property
    def code(self):
        """C++ without comments and strings."""
        if self._code is None:
            self._code = code_only(self.text)
        return self._code

    def under(self, *folders):
        return any(self.path.startswith(folder + "/") or self.path == folder for folder in folders)


@dataclasses.dataclass
class Rule:
    name: str
    sentence: str
    reads: typing.Callable  # File -> bool
    check: typing.Callable  # File -> (line, what)…; for a tree rule: [File] -> (path, line, what)…
    tree: bool = False


RULES = []


def rule(sentence, reads, tree=False):
    def register(check):
        RULES.append(Rule(check.__name__, sentence, reads, check, tree))
        return check
    return register


def is_cpp(file):
    return file.suffix in CPP


def is_source(file):
    return is_cpp(file) and file.under("src")


def is_header(file):
    """Of ours: the public ones of include/ are C and say it in C's way."""
    return file.suffix == ".h" and not file.under("include")


def is_code(file):
    named = file.name in ("Makefile", "CMakeLists.txt") or file.path == ".ci/run"
    return (file.suffix in CODE or named) and not file.under("web/dist", "web/src/generated.ts")


def is_ours(file):
    """Written by us: not the licence, not what tests read as it came, not the page as its tools have packed it."""
    return file.name != "LICENSE" and not file.under("tests/data", "web/dist")


def matches(pattern, text):
    """(line, matched text) for every match."""
    for found in re.finditer(pattern, text, re.MULTILINE):
        yield text.count("\n", 0, found.start()) + 1, found[0].strip()


# Names and files


@rule("A file or folder is named after what is in it, never utils, common, misc or helpers.", lambda file: True)
def telling_names(file):
    for part in re.split(r"[/.]", file.path):
        if re.fullmatch(r"utils?|common|misc|helpers?", part, re.IGNORECASE):
            yield 1, part


@rule("Source files are named in snake_case.",
      lambda file: file.suffix in (*CPP, ".py", ".sh") and not file.name.startswith("."))
def snake_case_names(file):
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.\w+|__init__\.py|__main__\.py", file.name):
        yield 1, file.name


@rule("A header's first line is a comment that says what it is.", is_header)
def header_says_what_it_is(file):
    if not re.match(r"// ?\S", file.lines[0]):
        yield 1, file.lines[0]


@rule("A header has #pragma once.", is_header)
def pragma_once(file):
    if not re.search(r"^#pragma once$", file.text, re.MULTILINE):
        yield 1, ""


@rule(f"A file past {LONGEST_FILE} lines is split.", is_code)
def short_files(file):
    count = file.text.count("\n")
    if count > LONGEST_FILE:
        yield count, f"{count} lines"


@rule(f"A function is split before it has {LONGEST_FUNCTION} lines.", is_cpp)
def short_functions(file):
    for first, last, header in functions(file.text):
        if last - first + 1 > LONGEST_FUNCTION:
            yield first, f"{last - first + 1} lines: {header[:80]}"


# The text


@rule(f"A line has at most {WIDEST} columns.", is_code)
def narrow_lines(file):
    for number, line in enumerate(file.lines, 1):
        if len(line) > WIDEST:
            yield number, f"{len(line)} columns"


@rule("C++ is indented with spaces.", is_cpp)
def no_tabs(file):
    yield from matches(r"^.*\t", file.text)


@rule("No line ends in spaces.", is_ours)
def no_trailing_spaces(file):
    for number, line in enumerate(file.lines, 1):
        if line != line.rstrip(" \t"):
            yield number, line.strip()[-40:]


@rule("Work is finished or written up in the tracker, not marked in the text.", is_ours)
def no_marks(file):
    yield from matches(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", file.text)


@rule("No path of one machine is written down.", lambda file: True)
def no_machine_paths(file):
    yield from matches(r"(?<![\w.})])/(work|root|home)/\w*", file.text)


@rule("No package registry is named: which one to ask is the machine's business.", lambda file: True)
def no_registries(file):
    yield from matches(r"\b(?:[\w-]*(?:registry|artifactory|nexus|mirror|pypi|npm|conda|proxy)[\w-]*\.)"
                       r"(?:[\w-]+\.)*(?:org|com|net|io|dev|internal|local|lan|corp)\b", file.text)
    yield from matches(r"\b(?:deb|ftp|security)\.(?:[\w-]+\.)*debian\.(?:org|net)\b", file.text)


# The code


@rule("One namespace, plimsoll (with detail, and example for short spellings in operations' examples; CLI to name "
      "CLI11's types).", is_cpp)
def one_namespace(file):
    for line, found in matches(r"\bnamespace\s+[\w:]+(?=\s*[{;])", re.sub(r"\busing\s+namespace", " ", file.code)):
        if found.split()[1] not in ("plimsoll", "plimsoll::detail", "plimsoll::example", "CLI"):
            yield line, found


@rule("A header does not open namespaces for those who include it.", is_header)
def no_using_namespace(file):
    yield from matches(r"\busing\s+namespace\s+[\w:]+", file.code)


@rule("Only tell speaks to the user: nothing is printed elsewhere.",
      lambda file: is_source(file) and not file.under("src/tell", "src/base/check.cpp"))
def quiet_floors(file):
    yield from matches(r"\bstd::(cout|cerr|clog)\b|\b(v?f?printf|f?puts|f?putc|putchar)\s*\(|\bfmt::print\b", file.code)


@rule("Errors are Results: nothing is thrown.", is_source)
def no_throw(file):
    yield from matches(r"\bthrow\b", file.code)


@rule("Exceptions of libraries are caught where we call them, in tell, model/onnx, run/exec/onednn and run/exec/torch, "
      "at the C interface and where a training takes its memory.",
      lambda file: is_source(file) and not file.under("src/tell", "src/model/onnx", "src/run/exec/onednn",
                                                      "src/run/exec/torch/torch_allocator.cpp",
                                                      "src/plan/ask/c_answer.h", "src/run/train/training_run.cpp"))
def catch_at_the_boundary(file):
    yield from matches(r"\bcatch\s*\(", file.code)


@rule("No views of ranges: clang 14, which builds the fuzzers, cannot read those of gcc's library.", is_cpp)
def no_views(file):
    yield from matches(r"\bstd::(?:ranges::)?views::", file.code)


@rule("No fences: ThreadSanitizer does not understand them, and its build ends there.", is_cpp)
def no_fences(file):
    yield from matches(r"\batomic_(?:thread|signal)_fence\b", file.code)


@rule("Our macros start with PLIM_; the public ones with PLIMSOLL_.", is_cpp)
def macro_names(file):
    for line, found in matches(r"^[ \t]*#[ \t]*define[ \t]+\w+", file.code):
        if not found.split()[-1].startswith("PLIMSOLL_" if file.under("include") else "PLIM_"):
            yield line, found


@rule("A test that cannot run here says why, in words that ctest shows.",
      lambda file: is_cpp(file) and file.under("tests"))
def skips_say_why(file):
    yield from matches(r"\bGTEST_SKIP\(\)(?!\s*<<)", file.code)


@rule("No test is switched off.", lambda file: is_cpp(file) and file.under("tests"))
def no_disabled_tests(file):
    yield from matches(r"\bDISABLED_\w*", file.code)


# Lists and what they list


@rule("Every operation is a function in src/model/ops and one line of all_ops.cpp, in alphabetical order.",
      lambda file: is_cpp(file) and file.under("src/model/ops"), tree=True)
def ops_are_listed(files):
    listed, defined = {}, {}
    for file in files:
        if file.name == "all_ops.cpp":
            for line, found in matches(r"\bPLIM_OP\(\w+\)(?= *\\)", file.text):
                name = found[len("PLIM_OP("):-1]
                if name in listed:
                    yield file.path, line, f"{name} is listed twice"
                if listed and name < list(listed)[-1]:
                    yield file.path, line, f"{name} is listed out of alphabetical order"
                listed[name] = file.path, line
        for line, found in matches(r"^const Op& \w+_op\(\)(?= *\{)", without_preprocessor(file.code)):
            defined[found[len("const Op& "):-len("_op()")]] = file.path, line
    for name in sorted(defined.keys() - listed.keys()):
        yield *defined[name], f"{name}_op() is not in all_ops.cpp"
    for name in sorted(listed.keys() - defined.keys()):
        yield *listed[name], f"{name}_op() is nowhere"


# An operation by its name in our code: compared, looked up, or looked for by a pass.
NAMED_OPERATIONS = (r'\bop_name *[!=]= *"\w+"', r'\bop->name *[!=]= *"\w+"', r'\bop_named\("\w+"\)',
                    r'\bfind_op\("\w+"\)', r'\bis_named\([^"()]*"\w+"\)',
                    r'\bonly_(?:reader|producer)\([^"]*"\w+"\)')


@rule("An operation that code names is in all_ops.cpp, or made elsewhere by that name.", is_source, tree=True)
def named_operations_exist(files):
    known = {found[len("PLIM_OP("):-1] for file in files if file.name == "all_ops.cpp"
             for _, found in matches(r"\bPLIM_OP\(\w+\)", file.text)}
    for file in files:
        known |= {found.split('"')[1] for _, found in matches(r'\bOp op\{\.name = "\w+"', file.text)}
    for file in files:
        for pattern in NAMED_OPERATIONS:
            for line, found in matches(pattern, file.text):
                name = found.split('"')[1]
                if name.removesuffix("_grad") not in known and name not in known:
                    yield file.path, line, f"no operation is called {name}"


@rule("Every family of networks is a function in src/model/zoo and a line in all_models.cpp.",
      lambda file: is_cpp(file) and file.under("src/model/zoo"), tree=True)
def families_are_listed(files):
    listed = {found for file in files if file.name == "all_models.cpp"
              for _, found in matches(r"\b\w+_models(?=,)", file.code)}
    for file in files:
        for line, found in matches(r"^std::vector<ZooModel> \w+_models\(\)(?= *\{)", file.code):
            name = found.split()[-1][:-len("()")]
            if name not in listed:
                yield file.path, line, f"{name}() is not in all_models.cpp"


@rule("Every optimizer is a function in src/model/optim and a line in all_optimizers.cpp.",
      lambda file: is_cpp(file) and file.under("src/model/optim"), tree=True)
def optimizers_are_listed(files):
    listed = {found[len("PLIM_OPTIMIZER("):-1] for file in files if file.name == "all_optimizers.cpp"
              for _, found in matches(r"\bPLIM_OPTIMIZER\(\w+\)(?= *\\)", file.text)}
    for file in files:
        for line, found in matches(r"^const Optimizer& \w+_optimizer\(\)(?= *\{)", without_preprocessor(file.code)):
            name = found.split()[-1]
            if name[:-len("_optimizer()")] not in listed:
                yield file.path, line, f"{name} is not in all_optimizers.cpp"


@rule("Every verb is a file of its name in src/tell/cli and a line in all_commands.cpp.",
      lambda file: is_cpp(file) and file.under("src/tell/cli"), tree=True)
def verbs_are_listed(files):
    paths = {file.path for file in files}
    listed = set()
    for file in files:
        if file.name != "all_commands.cpp":
            continue
        for line, found in matches(r'\{"[\w-]+",\s*"[^"]*",\s*declare_\w+\}', file.text):
            verb, declare = found[2:].split('"')[0], found[:-1].split("declare_")[1]
            listed.add(declare)
            if f"src/tell/cli/{declare}.cpp" not in paths or verb.replace("-", "_") != declare:
                yield file.path, line, f"{verb} is not declared in src/tell/cli/{verb}.cpp"
    for file in files:
        for line, found in matches(r"^Action declare_\w+(?=\([^;]*\{)", file.code):
            if found.split("declare_")[1] not in listed:
                yield file.path, line, f"{found.split()[1]} is not in all_commands.cpp"


def constants(file):
    """(line, name) for every constant outside of functions and classes."""
    for line, found in matches(r"^(?:inline )?constexpr [^;]*;", file.code):
        for name in re.findall(r"\bk[A-Z]\w*(?=(?:\[\w*\])? *[={])", found):
            yield line, name


@rule("A constant of a header is nobody else's name: where files are compiled together, it would be hidden.", is_source,
      tree=True)
def constants_are_not_hidden(files):
    declared = {name: file.path for file in files if is_header(file) for _, name in constants(file)}
    for file in files:
        if is_header(file):
            continue
        for line, name in constants(file):
            if name in declared:
                yield file.path, line, f"{name} is a constant of {declared[name]} too"


@rule("Each type has a name of its own, unless it is in an anonymous namespace: of two, the linker keeps the functions "
      "of one for both.", is_source, tree=True)
def types_have_their_own_names(files):
    defined = {}
    for file in files:
        for line, name in types(file.text):
            if defined.setdefault(name, file.path) != file.path:
                yield file.path, line, f"{name} is a type of {defined[name]} too"


@rule("No two headers have one name: an include says which room it means, a reader does not.",
      lambda file: is_header(file) and file.under("src"), tree=True)
def headers_have_their_own_names(files):
    first = {}
    for file in files:
        if first.setdefault(file.name, file.path) != file.path:
            yield file.path, 1, f"{first[file.name]} has this name too"


INCLUDED = re.compile(r'^#include +(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


# What precompiled headers bring everywhere: what is used of it, and the header that has it.
PRECOMPILED = ((r"\bfmt::\w+", "fmt/format.h"), (r"\bResult<", "src/base/result.h"))


@rule("What is used is included, here or in a header of ours that is: a precompiled header hides that it is missing.",
      is_source, tree=True)
def precompiled_names_are_included(files):
    includes = {file.path: [("src/" + ours if ours else system) for ours, system in INCLUDED.findall(file.text)]
                for file in files}
    for used, header in PRECOMPILED:
        reached = {header: True}

        def reaches(path):
            if path not in reached:
                reached[path] = False  # of a header that is being looked at
                reached[path] = any(reaches(other) for other in includes.get(path, ()))
            return reached[path]

        for file in files:
            if not reaches(file.path):
                yield from ((file.path, line, f"{found} without {header}")
                            for line, found in list(matches(used, without_preprocessor(file.code)))[:1])


# What documents name


def is_document(file):
    """Not the changelog, which calls things as they were called in their time."""
    return file.suffix == ".md" and file.name != "CHANGELOG.md" and not file.under("tests")


@rule("Every path that a document names exists.", lambda file: True, tree=True)
def named_paths_exist(files):
    tree = named_paths.Tree([file.path for file in files])
    for file in filter(is_document, files):
        for line, word in named_paths.missing(file.path, file.text, tree):
            yield file.path, line, word


def broken(files):
    """(rule, path, line, what) for every place where a rule is broken."""
    for one in RULES:
        read = [file for file in files if one.reads(file)]
        if one.tree:
            for path, line, what in one.check(read):
                yield one, path, line, what
        else:
            for file in read:
                for line, what in one.check(file):
                    yield one, file.path, line, what


def tracked_paths(root):
    """What git tracks or would track; without git, everything but hidden and build folders."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, check=False)
    if listed.returncode == 0:
        return sorted(set(listed.stdout.decode().split("\0")) - {""})
    paths = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return sorted(path for path in paths if not re.match(r"\.git/|build|node_modules/|out/|.*__pycache__/", path))


def read_files(root):
    """Every text file; what holds a NUL byte or is not UTF-8 is data."""
    for path in tracked_paths(root):
        full = root / path
        if not full.is_file() or full.is_symlink():
            continue
        data = full.read_bytes()
        if b"\0" in data:
            continue
        try:
            yield File(path, data.decode())
        except UnicodeDecodeError:
            continue


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    files = list(read_files(root))
    found = list(broken(files))
    for one, path, line, what in found:
        print(f"{path}:{line}: {one.sentence}" + (f" Found: {what}" if what else ""))
    for file in files:
        if is_code(file) and LONG_FILE < file.text.count("\n") <= LONGEST_FILE:
            print(f"look hard at {file.path}: {file.text.count(chr(10))} lines")
    if not any(is_source(file) for file in files):
        print("no sources were found: nothing was checked")
        return 1
    if not found:
        print(f"house rules: {len(RULES)} rules hold in {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
