"""Answers of models."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer


@dataclasses.dataclass(frozen=True, repr=False)
class LanguageModel(Answer):
    """LanguageModel: part of an answer of models.

    name: as its name says
    family: as its name says
    params: learnable numbers
    summary: as its name says
    """

    name: str
    family: str
    params: int
    summary: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Model(Answer):
    """Model: part of an answer of models.

    name: as its name says
    input: shape of one sample
    input_dtype: as its name says
    classes: outputs of the last layer
    params: learnable numbers
    buffers: as its name says
    macs: multiply-accumulates of one sample
    flops: arithmetic operations of one sample
    summary: as its name says
    """

    name: str
    input: Tuple[int, ...]
    input_dtype: str
    classes: int
    params: int
    buffers: int
    macs: int
    flops: int
    summary: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Models(Answer):
    """An answer of models.

    models: as its name says
    """

    models: Tuple[Model, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"models": Model}


@dataclasses.dataclass(frozen=True, repr=False)
class LanguageModels(Answer):
    """An answer of models.

    models: as its name says
    """

    models: Tuple[LanguageModel, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"models": LanguageModel}
