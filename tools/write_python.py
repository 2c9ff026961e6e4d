#!/usr/bin/env python3
"""write_python.py [SCHEMA PACKAGE]: writes the Python package's answers and verbs from schema/.

Every answer of a planning verb becomes a frozen dataclass (plimsoll/answers), every request a function whose keyword
arguments are the request's fields (plimsoll/verbs). With --check nothing is written; what is out of date is named.
"""
import json
import keyword
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERBS = {
    "weigh": "What a network weighs, layer by layer: parameters, operations, memory.",
    "fit": "The largest batch under a device's load line, or whether one batch is under it.",
    "place": "Which device to take: all ranked by time or money, and a verdict with its reasons.",
    "scale": "How far training scales over many devices, and until where it pays.",
    "models": "The networks that are built in.",
    "devices": "The devices that are known: memory, speed, price.",
    "calibrate": "A device with the two numbers that no data sheet tells, measured or fitted to measured steps.",
}
LEADING = {"weigh": "model", "fit": "model", "place": "model", "scale": "model", "devices": "name",
           "calibrate": "device"}
WIDTH = 118
MADE = "# Written by tools/write_python.py from schema/; `make schema` writes it again."


def reference(schema):
    return schema["$ref"].rsplit("/", 1)[1]


def without_null(schema):
    """(the schema without null, whether null was one of its forms)"""
    forms = schema.get("anyOf", [])
    rest = [form for form in forms if form.get("type") != "null"]
    if len(rest) == len(forms):
        return schema, False
    return (rest[0] if len(rest) == 1 else {**schema, "anyOf": rest}), True


def answer_type(schema):
    schema, null = without_null(schema)
    if "$ref" in schema:
        name = reference(schema)
    elif schema.get("type") == "array":
        name = f"Tuple[{answer_type(schema['items'])}, ...]"
    elif schema.get("type") == "object":
        name = f"Mapping[str, {answer_type(schema['additionalProperties'])}]"
    else:
        name = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[schema["type"]]
    return f"Optional[{name}]" if null else name


def part_of(schema):
    """The class inside a field, if there is one."""
    schema, _ = without_null(schema)
    if "$ref" in schema:
        return reference(schema)
    inner = schema.get("items") or schema.get("additionalProperties")
    return part_of(inner) if isinstance(inner, dict) else None


def request_type(schema):
    if "anyOf" in schema:
        kinds = dict.fromkeys(request_type(form) for form in schema["anyOf"])
        return kinds.popitem()[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
    if "enum" in schema:
        return "Literal[" + ", ".join(json.dumps(value) for value in schema["enum"]) + "]"
    if schema["type"] == "array":
        return f"Sequence[{request_type(schema['items'])}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[schema["type"]]


def row_kind(schema):
    """How the command reads a flag's text: as a number, a list of them, or text that the library reads."""
    forms = schema.get("anyOf", [])
    lists = [form for form in forms if form.get("type") == "array"]
    text = any(form.get("type") == "string" for form in forms)
    if lists:
        inner = row_kind(lists[0]["items"])
        return f"list:{inner}" if inner == "string" or not text else "string"
    return "string" if forms else schema["type"]


def row_file(verb, request):
    lines = []
    for key, field in request["properties"].items():
        told = field.get("description", "")
        lines.append(f'    "{key}": {{')
        lines.append(f'        "kind": "{row_kind(field)}",')
        pieces = textwrap.wrap(told, 90, drop_whitespace=False, break_on_hyphens=False) or [""]
        text = "\n                ".join(json.dumps(piece) for piece in pieces)
        lines.append(f'        "help": {text},')
        lines.append("    },")
    return (f'"""The rows of a request to {verb}."""\n{MADE}\nfrom typing import Mapping\n\n'
            + "ROWS: Mapping[str, Mapping[str, str]] = {\n" + "\n".join(lines) + "\n}\n")


def rows_file():
    imports = "\n".join(f"from plimsoll.rows import {verb}" for verb in VERBS)
    entries = "\n".join(f'    "{verb}": {verb}.ROWS,' for verb in VERBS)
    return ('"""The rows of requests: of each verb its fields, how they are read and what they mean."""\n'
            + MADE + "\nfrom typing import Mapping\n\n" + imports
            + "\n\nROWS: Mapping[str, Mapping[str, Mapping[str, str]]] = {\n" + entries + "\n}\n")


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def wrapped(text, indent, hanging):
    return textwrap.fill(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * hanging,
                         break_long_words=False, break_on_hyphens=False)


def class_lines(name, schema, what):
    required = schema.get("required", [])
    fields = {key: field for key, field in schema["properties"].items() if key != "schema"}
    ordered = [key for key in fields if key in required] + [key for key in fields if key not in required]
    lines = ["", "", "@dataclasses.dataclass(frozen=True, repr=False)", f"class {name}(Answer):", f'    """{what}', ""]
    for key in ordered:
        lines.append(wrapped(f"{python_name(key)}: {fields[key].get('description', 'as its name says')}", 4, 8))
    lines += ['    """', ""]
    for key in ordered:
        kind = answer_type(fields[key])
        absent = key not in required
        if absent and not kind.startswith("Optional"):
            kind = f"Optional[{kind}]"
        lines.append(f"    {python_name(key)}: {kind}" + (" = None" if absent else ""))
    lines.append("    schema: Optional[str] = None")
    absent = sorted(key for key in ordered if key not in required)
    lines += ["", f"    _optional: ClassVar[FrozenSet[str]] = frozenset({absent})"]
    parts = {key: part_of(fields[key]) for key in ordered if part_of(fields[key])}
    lines.append("    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"
                 + ", ".join(f'"{key}": {part}' for key, part in parts.items()) + "}")
    return [line for text in lines for line in broken_up(text)]


def broken_up(text):
    """A long line of the tables, broken after a comma."""
    if len(text) <= WIDTH or text.lstrip().startswith('"""') or "\n" in text:
        return text.split("\n")
    return textwrap.wrap(text, WIDTH, subsequent_indent="        ", break_long_words=False, break_on_hyphens=False)


def forms_of(document):
    return document.get("oneOf", [document])


def in_order(definitions):
    """Each class after those it is made of."""
    done = {}

    def visit(name):
        if name not in done:
            for field in definitions[name]["properties"].values():
                if part_of(field) in definitions and part_of(field) != name:
                    visit(part_of(field))
            done[name] = definitions[name]

    for name in definitions:
        visit(name)
    return done


HEAD = '''"""{what}"""
{made}
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
'''


def answer_files(documents):
    holders = {}
    for verb, document in documents.items():
        for name, definition in document.get("$defs", {}).items():
            holders.setdefault(name, (definition, []))[1].append(verb)
        for form in forms_of(document):
            if form["title"] not in document.get("$defs", {}):
                holders.setdefault(form["title"], (form, []))[1].append(verb)
    shared = {name: definition for name, (definition, verbs) in holders.items() if len(verbs) > 1}
    files = {"shared.py": class_file("Parts that answers of several verbs have.", shared, [], "part of an answer")}
    for verb, document in documents.items():
        own = {name: definition for name, (definition, verbs) in holders.items() if verbs == [verb]}
        titles = {form["title"] for form in forms_of(document)}
        files[f"{verb}.py"] = class_file(f"Answers of {verb}.", own, sorted(needed(own) & shared.keys()),
                                         f"part of an answer of {verb}", titles, verb)
    order = ["shared", *documents]
    lines = ['"""The answers, as frozen dataclasses."""', MADE]
    exported = []
    for name in order:
        classes = [line[6:].split("(")[0] for line in files[f"{name}.py"].split("\n") if line.startswith("class ")]
        exported += classes
        lines += broken_up(f"from plimsoll.answers.{name} import ({', '.join(classes)})")
    lines += ["", *broken_up("__all__ = [" + ", ".join(f'"{name}"' for name in exported) + "]")]
    files["__init__.py"] = "\n".join(lines) + "\n"
    return files


def needed(definitions):
    return {part_of(field) for one in definitions.values() for field in one["properties"].values()} - {None}


def class_file(what, definitions, imports, kind, titles=(), verb=""):
    text = HEAD.format(what=what, made=MADE)
    if imports:
        text += f"from plimsoll.answers.shared import {', '.join(imports)}\n"
    for name, definition in in_order(definitions).items():
        said = f"An answer of {verb}." if name in titles else f"{name}: {kind}."
        text += "\n".join(class_lines(name, definition, said)) + "\n"
    return text


def function_file(verb, request, document):
    forms = [form["title"] for form in forms_of(document)]
    leading = LEADING.get(verb)
    fields = {key: field for key, field in request["properties"].items() if key != leading}
    signature, asked = [], []
    if leading == "model":
        signature += ["model: Optional[ModelLike] = None,", "example: Optional[Example] = None,"]
    elif leading:
        signature += [f"{leading}: Optional[str] = None,"]
    if fields:
        signature.append("*,")
    for key, field in fields.items():
        signature.append(f"{python_name(key)}: Optional[{request_type(field)}] = None,")
        asked.append(f'"{key}": {python_name(key)}')
    signature.append("**unknown: NoReturn,")
    lines = [f'"""The verb {verb}."""', MADE, "", "", "from plimsoll import asking",
             f"from plimsoll.answers.{verb} import {forms[0]}"]
    if leading == "model":
        lines.append("from plimsoll.network import Example, ModelLike")
    used = "\n".join(signature)
    names = ["Dict"] + [name for name in ("Literal", "NoReturn", "Optional", "Sequence", "Union")
                        if name + "[" in used or name == "NoReturn"] + ["cast"]
    lines[2] = f"from typing import {', '.join(names)}"
    lines += ["", "", f"def {verb}("]
    for line in signature:
        lines += broken_up("    " + line)
    lines += [f") -> {forms[0]}:", f'    """{VERBS[verb]}', ""]
    if leading == "model":
        lines += [wrapped("model: a network of the zoo (see models()), the path or the bytes of an .onnx file or a "
                          "config.json, a torch module, a model or config of transformers, or what load() returned"
                          + ("; or a list of names" if verb == "weigh" else ""), 4, 8),
                  wrapped("example: with a torch module: what it is called with, as tensors, shapes or a dict; a model "
                          "of transformers whose family is known needs none", 4, 8)]
    elif leading:
        lines.append(wrapped(f"{leading}: {request['properties'][leading]['description']}", 4, 8))
    for key, field in fields.items():
        told = field.get("description", "")
        if "default" in field and field["default"] not in ([], "", False):
            told += f" (default: {field['default']})"
        lines.append(wrapped(f"{python_name(key)}: {told}".replace("--", ""), 4, 8))
    others = f"; other forms of the question return {' or '.join(forms[1:])}" if forms[1:] else ""
    lines += ["", wrapped(f"Returns {forms[0]}{others}. Raises plimsoll.Error.", 4, 4), '    """']
    lead = {"model": "model, example", None: "None, None"}.get(leading, "None, None")
    if leading and leading != "model":
        asked.insert(0, f'"{leading}": {leading}')
    lines += broken_up("    fields: Dict[str, object] = {" + ", ".join(asked) + "}")
    lines.append(f'    return cast({forms[0]}, asking.ask("{verb}", {lead}, fields, unknown))')
    return "\n".join(lines) + "\n"


def form_lines(verb, document):
    forms = [f"({form['title']}, {json.dumps(sorted(set(form['required']) - {'schema'}))})"
             for form in forms_of(document)]
    return wrapped(f'"{verb}": [{", ".join(forms)}],', 4, 8)


def written(folder):
    """Every generated file: its path in the package and its text."""
    documents = {verb: json.loads((folder / f"{verb}.json").read_text()) for verb in VERBS}
    requests = {verb: json.loads((folder / f"{verb}.request.json").read_text()) for verb in VERBS}
    files = {f"answers/{name}": text for name, text in answer_files(documents).items()}
    for verb in VERBS:
        files[f"verbs/{verb}.py"] = function_file(verb, requests[verb], documents[verb])
    imports = "\n".join(f"from plimsoll.verbs.{verb} import {verb}" for verb in VERBS)
    names = ", ".join(f'"{verb}"' for verb in VERBS)
    files["verbs/__init__.py"] = f'"""The questions, as functions."""\n{MADE}\n{imports}\n\n__all__ = [{names}]\n'
    kinds = "\n".join(form_lines(verb, document) for verb, document in documents.items())
    titles = [form["title"] for document in documents.values() for form in forms_of(document)]
    files["forms.py"] = ('"""Which class an answer becomes: the forms of each verb, with the keys it always has."""\n'
                         + MADE + "\nfrom typing import List, Mapping, Tuple, Type\n\n"
                         + "from plimsoll.answer import Answer\n"
                         + "\n".join(broken_up(f"from plimsoll.answers import ({', '.join(dict.fromkeys(titles))})"))
                         + "\n\nFORMS: Mapping[str, List[Tuple[Type[Answer], List[str]]]] = {\n" + kinds + "\n}\n")
    files.update({f"rows/{verb}.py": row_file(verb, requests[verb]) for verb in VERBS})
    files["rows/__init__.py"] = rows_file()
    return files


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    schema, package = map(pathlib.Path, words) if words else (ROOT / "schema", ROOT / "python" / "plimsoll")
    stale = []
    for name, text in written(schema).items():
        path = package / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if "--check" in sys.argv:
        print("\n".join(f"python/plimsoll/{name} is not what schema/ says: run `make schema`" for name in stale)
              or "the Python package is what schema/ says")
        return 1 if stale else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
