"""What all answers have: they are frozen, read from JSON, and become dicts, JSON, tables and HTML again."""
from __future__ import annotations

import dataclasses
import json
from typing import Any, ClassVar, Dict, FrozenSet, Mapping, Type, TypeVar

A = TypeVar("A", bound="Answer")


def _plain(value: Any) -> Any:
    if isinstance(value, Answer):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _read(value: Any, part: Any) -> Any:
    if isinstance(value, list):
        return tuple(_read(one, part) for one in value)
    if part is None or value is None:
        return value
    # A field of this class, or a mapping whose values are of it: the keys it must have tell.
    if not part._is(value):
        return {key: _read(one, part) for key, one in value.items()}
    return part.from_dict(value)


class Answer:
    """An answer of plimsoll, or a part of one."""

    _optional: ClassVar[FrozenSet[str]] = frozenset()
    _parts: ClassVar[Mapping[str, Type["Answer"]]] = {}

    @classmethod
    def _is(cls, value: Mapping[str, Any]) -> bool:
        must = {_key(name) for name in _names(cls)} - cls._optional - {"schema"}
        return must <= set(value)

    @classmethod
    def from_dict(cls: Type[A], fields: Mapping[str, Any]) -> A:
        """An answer from what to_dict() returned. Keys that a newer library may have added are left out."""
        known = {_key(name): name for name in _names(cls)}
        return cls(**{known[key]: _read(value, cls._parts.get(key)) for key, value in fields.items() if key in known})

    def to_dict(self) -> Dict[str, Any]:
        """The answer as the command line's --json has it: dicts, lists, numbers and text."""
        out: Dict[str, Any] = {}
        for name in _names(type(self)):
            value = getattr(self, name)
            if value is None and (_key(name) in self._optional or name == "schema"):
                continue
            out[_key(name)] = _plain(value)
        return out

    def to_json(self, indent: int | None = 2) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def to_pandas(self) -> Any:
        """Its table (layers, ranking, runs, models, devices, links) as a pandas.DataFrame."""
        from plimsoll import tables
        return tables.to_pandas(self)

    def __repr__(self) -> str:
        from plimsoll import wording
        return wording.short(self)

    def _repr_html_(self) -> str:
        from plimsoll import html
        return html.page(self)


def _names(cls: Type[Answer]) -> "list[str]":
    return [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]


def _key(name: str) -> str:
    return name[:-1] if name.endswith("_") else name
