"""Answers of calibrate."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import Device


@dataclasses.dataclass(frozen=True, repr=False)
class CalibratedRun(Answer):
    """CalibratedRun: part of an answer of calibrate.

    run: as it was given
    measured_seconds: as its name says
    before_seconds: predicted by the data sheet
    after_seconds: predicted by the calibrated device
    """

    run: str
    measured_seconds: float
    before_seconds: float
    after_seconds: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Calibration(Answer):
    """An answer of calibrate.

    gemm_dtype: the number format of the product
    gemm_before: expected of a large product from the data sheet, operations a second
    gemm: as measured or fitted
    bandwidth_before: expected of a large copy from the data sheet, bytes a second
    bandwidth: as measured or fitted
    device: with every figure
    runs: that it was fitted to
    median_error_before: of these runs by the data sheet
    median_error: of these runs afterwards; of others it may be more
    kept_in: the device file
    """

    gemm_dtype: str
    gemm_before: float
    gemm: float
    bandwidth_before: float
    bandwidth: float
    device: Device
    runs: Optional[Tuple[CalibratedRun, ...]] = None
    median_error_before: Optional[float] = None
    median_error: Optional[float] = None
    kept_in: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['kept_in', 'median_error', 'median_error_before', 'runs'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"device": Device, "runs": CalibratedRun}
