"""What a house rule is: a function that takes a File and yields the lines where it is broken, each with what was found
there. @rule gives it its sentence and says which files it reads."""
import dataclasses
import pathlib
import re
import typing

from cpp_text import code_only

CPP = (".h", ".cpp")
CODE = CPP + (".py", ".sh", ".cmake", ".ts", ".js")


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
