"""Answers of devices."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import Device


@dataclasses.dataclass(frozen=True, repr=False)
class Devices(Answer):
    """An answer of devices.

    devices: as its name says
    """

    devices: Tuple[Device, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"devices": Device}
