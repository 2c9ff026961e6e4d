"""Parts that answers of several verbs have."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer


@dataclasses.dataclass(frozen=True, repr=False)
class UnknownOp(Answer):
    """UnknownOp: part of an answer.

    op: domain and name
    count: how many there are
    """

    op: str
    count: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class AccuracyRow(Answer):
    """AccuracyRow: part of an answer.

    measured: what, on what, with what
    rows: measurements
    median_error: share
    worst_factor: as its name says
    within_30: share of predictions within 30 %
    """

    measured: str
    rows: int
    median_error: float
    worst_factor: float
    within_30: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class MemoryAccuracy(Answer):
    """MemoryAccuracy: part of an answer.

    framework: as its name says
    measured: against what
    rows: measurements
    median_error: share
    largest_error: share
    outside: share of measurements outside low to high
    """

    framework: str
    measured: str
    rows: int
    median_error: float
    largest_error: float
    outside: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Accuracy(Answer):
    """Accuracy: part of an answer.

    step_time: as its name says
    scaling: as its name says
    memory: as its name says
    """

    step_time: Tuple[AccuracyRow, ...]
    scaling: Tuple[AccuracyRow, ...]
    memory: Tuple[MemoryAccuracy, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"step_time": AccuracyRow, "scaling": AccuracyRow, "memory":
        MemoryAccuracy}
