"""House rules: what files are called, how long they are, and how their text looks."""
import re

from cpp_text import functions
from rules.rule import CPP, is_code, is_cpp, is_header, is_ours, matches, rule

LONGEST_FILE, LONGEST_FUNCTION, WIDEST = 600, 80, 120


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
