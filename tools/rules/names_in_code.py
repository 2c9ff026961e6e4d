"""House rules: names of constants, types and headers over all of our C++, and what is included for them."""
import re

from cpp_text import types, without_preprocessor
from rules.rule import is_header, is_source, matches, rule


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
