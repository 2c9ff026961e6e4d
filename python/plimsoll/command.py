"""The command `plimsoll` of the wheel: the planning verbs. Others are passed on to the full program, where it is."""
from __future__ import annotations

import json
import os
import re
import shutil
import sys
from typing import Any, Dict, List, Optional, Tuple

from plimsoll import library, tables, wording
from plimsoll.asking import _chosen, nearest
from plimsoll.error import Error
from plimsoll.rows import ROWS

HERE = ("weigh", "fit", "place", "scale", "models", "devices")
ELSEWHERE = ("train", "bench", "eval", "predict", "export", "sweep", "sharpness", "report", "serve", "data", "probe")
_LEADING = {"devices": "name", "calibrate": "device"}


def usage() -> str:
    return ("plimsoll VERB [MODEL] [--flag value ...] [--json]\n\n"
            f"  {', '.join(HERE)}\n\n"
            "'plimsoll VERB --help' lists a verb's flags. Training and the page need the full program (README.md).")


def verb_help(verb: str) -> str:
    lines = [f"plimsoll {verb} [--json]"]
    for name, row in ROWS[verb].items():
        lines.append(f"  --{name.replace('_', '-'):<18} {row['help']}")
    return "\n".join(lines)


def full_program() -> Optional[str]:
    """The C++ program of the same name: any `plimsoll` of the path that is not this script."""
    own = os.path.realpath(sys.argv[0])
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which("plimsoll", path=folder)
        if found and os.path.realpath(found) != own and not _is_script(found):
            return found
    return None


def _is_script(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def _value(kind: str, text: str) -> Any:
    """A flag's text as the request has it: numbers where the row wants numbers, lists at commas."""
    if kind.startswith("list:"):
        return [_value(kind[len("list:"):], part) for part in text.split(",")]
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        raise Error(f"{text!r} is no number") from None
    return text


def request_of(verb: str, words: List[str]) -> Tuple[Dict[str, Any], bool]:
    """The request that the words make, and whether JSON is wanted."""
    request: Dict[str, Any] = {}
    words = ["--out" if word == "-o" else word for word in words]
    free: List[str] = []
    as_json = False
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--json":
            as_json = True
        elif not word.startswith("--"):
            free.append(word)
        else:
            flag, equals, text = word[2:].partition("=")
            name = flag.replace("-", "_")
            if name not in ROWS[verb]:
                hint = re.sub(r"'(\w+)'", lambda found: "--" + found[1].replace("_", "-"), nearest(verb, name).hint)
                raise Error(f"{verb} has no flag --{flag}", hint=hint)
            kind = ROWS[verb][name]["kind"]
            if kind == "boolean":
                request[name] = True
                continue
            if not equals:
                if not rest:
                    raise Error(f"--{flag} needs a value")
                text = rest.pop(0)
            request[name] = _value(kind, text)
    leading = _LEADING.get(verb, "model")
    if free and leading in ROWS[verb]:
        request[leading] = free if len(free) > 1 else free[0]
    elif free:
        raise Error(f"{verb} takes no {free[0]!r}")
    return request, as_json


def _table(answer: Any) -> str:
    from plimsoll import html
    columns = html._COLUMNS.get(type(answer).__name__)
    if columns is None:
        return ""
    cells = [[head for head, _ in columns]] + [[show(row) for _, show in columns] for row in tables.rows(answer)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    return "\n".join("  ".join(text.ljust(width) if i == 0 else text.rjust(width)
                               for i, (text, width) in enumerate(zip(row, widths))) for row in cells)


def answer(verb: str, words: List[str]) -> int:
    from plimsoll import html
    request, as_json = request_of(verb, words)
    code, fields = library.ask(verb, request)
    if as_json:
        print(json.dumps(fields, indent=2, ensure_ascii=False))
        return code
    told = _chosen(verb, fields)
    pieces = [_table(told), "\n".join(html._words(told))]
    print("\n\n".join(piece for piece in pieces if piece) or wording.short(told))
    return code


def main(words: Optional[List[str]] = None) -> int:
    words = sys.argv[1:] if words is None else words
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    verb = words[0]
    if verb == "--version":
        print(f"plimsoll {library.version()}")
        return 0
    if verb in ELSEWHERE:
        program = full_program()
        if program:
            os.execv(program, [program, *words])
        print(f"plimsoll: '{verb}' needs the full program: 'make install' or the .deb of the source tree (README.md)",
              file=sys.stderr)
        return 2
    if words[:2] == ["devices", "calibrate"]:  # a verb of its own in the library
        verb, words = "calibrate", words[1:]
    try:
        if verb not in HERE and verb != "calibrate":
            raise Error(f"{verb!r} is no verb, expected {', '.join(HERE)}")
        if "--help" in words or "-h" in words:
            print(verb_help(verb))
            return 0
        return answer(verb, words[1:])
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Error as error:
        if "--json" in words:
            print(json.dumps({"schema": "plimsoll.error/1", "exit_code": 2, "what": error.what, "where": error.where,
                              "hint": error.hint}, indent=2))
        else:
            print(f"plimsoll: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
