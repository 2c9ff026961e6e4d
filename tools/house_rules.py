#!/usr/bin/env python3
"""The house rules, a sentence each. Prints file:line and the sentence for each one broken; exit code 1.

The rules are in tools/rules, a file for each subject; rule.py there says what a rule is. tools/test_house_rules.py
holds a good and a bad example of each.
"""
import pathlib
import re
import subprocess
import sys

from rules import code, documents, lists, names_and_text, names_in_code  # noqa: F401  each registers its rules
from rules.rule import RULES, File, is_code, is_source

LONG_FILE = 400


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
        if is_code(file) and LONG_FILE < file.text.count("\n") <= names_and_text.LONGEST_FILE:
            print(f"look hard at {file.path}: {file.text.count(chr(10))} lines")
    if not any(is_source(file) for file in files):
        print("no sources were found: nothing was checked")
        return 1
    if not found:
        print(f"house rules: {len(RULES)} rules hold in {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
