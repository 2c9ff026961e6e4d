"""Answers of place."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import TokenPlacement, UnknownOp


@dataclasses.dataclass(frozen=True, repr=False)
class StepRange(Answer):
    """StepRange: part of an answer of place.

    low: seconds; one of ten such steps was quicker
    high: seconds; one of ten such steps was slower
    median_error: share
    rows: measurements that took no part in the fit
    measured: of what
    """

    low: float
    high: float
    median_error: float
    rows: int
    measured: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Stages(Answer):
    """Stages: part of an answer of place.

    disk_seconds: of one batch
    decode_seconds: of one batch
    transfer_seconds: of one batch
    compute_seconds: of one batch
    step_seconds: of all stages together
    bound_by: what sets the pace
    busy: share of the step in which the device computes
    """

    disk_seconds: float
    decode_seconds: float
    transfer_seconds: float
    compute_seconds: float
    step_seconds: float
    bound_by: str
    busy: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Placement(Answer):
    """Placement: part of an answer of place.

    device: its name
    kind: of what computes: cpu or gpu
    devices: how many it has
    framework: that runs it there
    fits: the batch is under its line
    batch: of one device, in one pass
    peak_bytes: memory of one device
    step_seconds: of one step
    epoch_seconds: of all samples once
    total_seconds: of the job
    samples_per_second: as its name says
    cost: of the job in USD; null without a price
    electricity: of the job in USD, beside the cost; null where it is rented or its power is not known
    cost_per_million: samples, in USD
    price: what it stands on
    bound_by: what sets the pace
    stages: as its name says
    step_range: how far off such a prediction was; absent where nothing like it was measured
    latency_seconds: of one sample, in inference
    memory: where the device's memory is not known
    loading: how fast samples come, in a sentence
    host_cores: that decode
    host_cores_basis: how they are known
    why_not: when it cannot be placed or does not fit
    """

    device: str
    kind: str
    devices: int
    framework: str
    fits: bool
    batch: int
    peak_bytes: int
    step_seconds: float
    epoch_seconds: float
    total_seconds: float
    samples_per_second: float
    cost: Optional[float]
    electricity: Optional[float]
    cost_per_million: Optional[float]
    price: Optional[str]
    bound_by: str
    stages: Stages
    step_range: Optional[StepRange] = None
    latency_seconds: Optional[float] = None
    memory: Optional[str] = None
    loading: Optional[str] = None
    host_cores: Optional[int] = None
    host_cores_basis: Optional[str] = None
    why_not: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['host_cores', 'host_cores_basis', 'latency_seconds', 'loading',
        'memory', 'step_range', 'why_not'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"stages": Stages, "step_range": StepRange}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenPrice(Answer):
    """TokenPrice: part of an answer of place.

    input: a million tokens that are read, in USD
    output: a million tokens that are written, in USD
    """

    input: float
    output: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class ServingPlacement(Answer):
    """ServingPlacement: part of an answer of place.

    device: its name
    kind: of what computes: cpu or gpu
    devices: that share the network
    framework: that serves it there
    fits: it is under its line
    peak_bytes: memory of one device
    shortfall_bytes: by which the line is missed
    largest_concurrency: of such sequences
    seconds_to_first_token: the prompt, alone, and a step of the others
    seconds_per_token: of each sequence
    tokens_per_second: that all sequences get, prompts of those that follow included
    tokens_per_second_each: that one sequence gets while it is written
    prompt_tokens_per_second: that are read, alone
    cost_per_million_tokens: in USD; null without a price
    price: what it stands on
    bound_by: what sets the pace of a token
    bytes_per_step: that are read
    memory: where the device's memory is not known
    breaks: what crosses the line
    """

    device: str
    kind: str
    devices: int
    framework: str
    fits: bool
    peak_bytes: int
    shortfall_bytes: int
    largest_concurrency: int
    seconds_to_first_token: float
    seconds_per_token: float
    tokens_per_second: float
    tokens_per_second_each: float
    prompt_tokens_per_second: float
    cost_per_million_tokens: Optional[TokenPrice]
    price: Optional[str]
    bound_by: str
    bytes_per_step: int
    memory: Optional[str] = None
    breaks: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['breaks', 'memory'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"cost_per_million_tokens": TokenPrice}


@dataclasses.dataclass(frozen=True, repr=False)
class ServingVerdict(Answer):
    """ServingVerdict: part of an answer of place.

    choice: the name of a device; empty when nothing fits
    kind: gpu or cpu; empty when nothing fits
    reasons: as its name says
    """

    choice: str
    kind: str
    reasons: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenVerdict(Answer):
    """TokenVerdict: part of an answer of place.

    choice: the name of a device; empty when nothing fits
    reasons: as its name says
    """

    choice: str
    reasons: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Verdict(Answer):
    """Verdict: part of an answer of place.

    choice: the name of a device; empty when nothing fits
    kind: gpu or cpu; empty when nothing fits
    reasons: as its name says
    speed_up: of the GPU over the CPU
    price_ratio: of an hour: GPU over CPU
    """

    choice: str
    kind: str
    reasons: Tuple[str, ...]
    speed_up: Optional[float] = None
    price_ratio: Optional[float] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['price_ratio', 'speed_up'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Place(Answer):
    """An answer of place.

    model: the network
    mode: training or inference
    dtype: number format
    samples: of an epoch, or of the job in inference
    epochs: as its name says
    load_line: share of the memory that may be filled
    lower_bound: something is not counted, so the answer is a lower bound
    unknown_ops: operations that are not known and not counted
    uncounted_operations: known, on shapes that are not known
    unbounded_operations: in loops without a known end, counted once
    ranking: best first
    verdict: as its name says
    notes: what was assumed
    not_placed: devices that could not be asked, with the reason
    lower_bound_reason: the same in a sentence
    """

    model: str
    mode: str
    dtype: str
    samples: int
    epochs: int
    load_line: float
    lower_bound: bool
    unknown_ops: Tuple[UnknownOp, ...]
    uncounted_operations: int
    unbounded_operations: int
    ranking: Tuple[Placement, ...]
    verdict: Verdict
    notes: Tuple[str, ...]
    not_placed: Tuple[str, ...]
    lower_bound_reason: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['lower_bound_reason'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"unknown_ops": UnknownOp, "ranking": Placement, "verdict":
        Verdict}


@dataclasses.dataclass(frozen=True, repr=False)
class PlaceServing(Answer):
    """An answer of place.

    model: the network
    mode: generate
    weights: format of the weights
    kv: format of the cache of keys and values
    prompt_tokens: that are read before the first is written
    output_tokens: that are written
    concurrency: sequences at the same time
    load_line: share of the memory that may be filled
    ranking: best first
    verdict: as its name says
    notes: what was assumed, and how far off such answers have been
    not_placed: devices that could not be asked, with the reason
    """

    model: str
    mode: str
    weights: str
    kv: str
    prompt_tokens: int
    output_tokens: int
    concurrency: int
    load_line: float
    ranking: Tuple[ServingPlacement, ...]
    verdict: ServingVerdict
    notes: Tuple[str, ...]
    not_placed: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"ranking": ServingPlacement, "verdict": ServingVerdict}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenPlace(Answer):
    """An answer of place.

    model: the network
    mode: training
    dtype: number format
    method: what is trained
    sequence: tokens of a sample
    tokens: of the job
    load_line: share of the memory that may be filled
    ranking: best first
    verdict: as its name says
    notes: what was assumed
    not_placed: devices that could not be asked, with the reason
    """

    model: str
    mode: str
    dtype: str
    method: str
    sequence: int
    tokens: float
    load_line: float
    ranking: Tuple[TokenPlacement, ...]
    verdict: TokenVerdict
    notes: Tuple[str, ...]
    not_placed: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"ranking": TokenPlacement, "verdict": TokenVerdict}
