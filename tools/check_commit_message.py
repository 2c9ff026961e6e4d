#!/usr/bin/env python3
"""check_commit_message.py FILE: the subject has its room in front and fits into a line of `git log --oneline`."""
import re
import sys

LONGEST_SUBJECT = 72


def complaints(message):
    """What is wrong with a message, a sentence each. Comment lines are git's, merges and reverts write themselves."""
    lines = [line.rstrip() for line in message.split("\n") if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if re.match(r"(Merge|Revert|fixup!|squash!) ?", subject):
        return
    if len(subject) > LONGEST_SUBJECT:
        yield f"the subject has {len(subject)} characters, at most {LONGEST_SUBJECT} are shown whole"
    if not re.match(r"[a-z][\w/+-]*(, [\w/+-]+)*: \S", subject):
        yield 'the subject begins with its room, as in "memory: pack by size, then by start"'
    if subject.endswith("."):
        yield "the subject has no full stop"
    if len(lines) > 1 and lines[1]:
        yield "the line after the subject is empty"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(complaints(file.read()))
    for sentence in found:
        print(f"commit message: {sentence}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
