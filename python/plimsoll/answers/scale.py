"""Answers of scale."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import Plan, TokenPlacement, UnknownOp


@dataclasses.dataclass(frozen=True, repr=False)
class Link(Answer):
    """Link: part of an answer of scale.

    name: as its name says
    title: as its name says
    bytes_per_second: each way, as data sheets have it
    share: of the rate that collectives reach
    latency_seconds: of one message
    source: as its name says
    """

    name: str
    title: str
    bytes_per_second: float
    share: float
    latency_seconds: float
    source: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class ScaleRun(Answer):
    """ScaleRun: part of an answer of scale.

    workers: as its name says
    nodes: as its name says
    batch: of a worker, in one pass
    global_batch: of a step
    fits: each worker's memory carries it
    peak_bytes: memory of a worker
    step_seconds: as its name says
    compute_seconds: of a worker by itself
    straggling_seconds: by which the slowest takes longer
    communication_seconds: if nothing overlapped
    exposed_seconds: of communication that the step waits for
    hidden: share of communication that nobody waits for
    waiting_seconds: for samples
    gradient_bytes: on the wire
    buckets: gradients that are sent together
    all_reduce: how gradients are added up
    images_per_second: as its name says
    efficiency: against as many workers that each run as fast as one alone
    bound_by: as its name says
    steps: as its name says
    samples: as its name says
    epochs: as its name says
    total_seconds: as its name says
    cost: in USD; null without a price
    """

    workers: int
    nodes: int
    batch: int
    global_batch: int
    fits: bool
    peak_bytes: int
    step_seconds: float
    compute_seconds: float
    straggling_seconds: float
    communication_seconds: float
    exposed_seconds: float
    hidden: float
    waiting_seconds: float
    gradient_bytes: int
    buckets: int
    all_reduce: str
    images_per_second: float
    efficiency: float
    bound_by: str
    steps: int
    samples: int
    epochs: float
    total_seconds: float
    cost: Optional[float]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class ScaleAdvice(Answer):
    """ScaleAdvice: part of an answer of scale.

    workers: as its name says
    batch: of a worker
    global_batch: of a step
    learning_rate: null when that at the reference batch is not given
    learning_rate_factor: over the rate at the reference batch
    learning_rate_rule: as its name says
    warm_up_steps: as its name says
    run: as its name says
    """

    workers: int
    batch: int
    global_batch: int
    learning_rate: Optional[float]
    learning_rate_factor: float
    learning_rate_rule: str
    warm_up_steps: int
    run: ScaleRun
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"run": ScaleRun}


@dataclasses.dataclass(frozen=True, repr=False)
class ScaleVerdict(Answer):
    """ScaleVerdict: part of an answer of scale.

    choice: how many workers; null: open
    aim_met: deadline and budget
    reasons: as its name says
    """

    choice: Optional[int]
    aim_met: bool
    reasons: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class SupposedScale(Answer):
    """SupposedScale: part of an answer of scale.

    critical_batch: if it were this
    recommendation: null: nothing meets the aim
    knee: where time and money meet
    """

    critical_batch: float
    recommendation: Optional[ScaleAdvice]
    knee: ScaleRun
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"recommendation": ScaleAdvice, "knee": ScaleRun}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenRun(Answer):
    """TokenRun: part of an answer of scale.

    workers: devices
    fits: as its name says
    plan: how the training is divided
    needed_bytes: memory of one device
    step_seconds: as its name says
    step_tokens: of all devices
    tokens_per_second: of all devices
    efficiency: tokens a second of a device against those of the smallest number of devices
    bubble_seconds: of a pipeline, of a step
    exposed_seconds: exchange of parameters and gradients that nothing hides
    total_seconds: of the job
    cost: of the job in USD; null without a price
    bound_by: what most of the step goes to
    plans_tried: of a search
    plans_fitting: of a search
    others: of a search: the next best
    mfu: share of the peak that products take
    why_not: when nothing fits
    """

    workers: int
    fits: bool
    plan: Plan
    needed_bytes: int
    step_seconds: float
    step_tokens: float
    tokens_per_second: float
    efficiency: float
    bubble_seconds: float
    exposed_seconds: float
    total_seconds: float
    cost: Optional[float]
    bound_by: str
    plans_tried: int
    plans_fitting: int
    others: Tuple[TokenPlacement, ...]
    mfu: Optional[float] = None
    why_not: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['mfu', 'why_not'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"plan": Plan, "others": TokenPlacement}


@dataclasses.dataclass(frozen=True, repr=False)
class Wiring(Answer):
    """Wiring: part of an answer of scale.

    per_node: workers of a node; null: all are in one
    inside: between workers of a node
    between: between nodes
    """

    per_node: Optional[int]
    inside: Optional[Link]
    between: Optional[Link]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"inside": Link, "between": Link}


@dataclasses.dataclass(frozen=True, repr=False)
class Scale(Answer):
    """An answer of scale.

    model: the network
    device: as its name says
    framework: as its name says
    dtype: number format
    optimizer: as its name says
    exchange: how gradients are exchanged
    wiring: as its name says
    samples: of an epoch
    epochs: as its name says
    reference_batch: at which the epochs reach the loss
    critical_batch: as its name says
    steps_are: as its name says
    price: what it stands on
    lower_bound: something is not counted, so the answer is a lower bound
    unknown_ops: operations that are not known and not counted
    uncounted_operations: known, on shapes that are not known
    unbounded_operations: in loops without a known end, counted once
    runs: as asked
    knee: null when the steps to the same loss are not known
    recommendation: as its name says
    if_critical_batch: the answer for a range of critical batches
    verdict: as its name says
    notes: what was assumed
    lower_bound_reason: the same in a sentence
    """

    model: str
    device: str
    framework: str
    dtype: str
    optimizer: str
    exchange: str
    wiring: Wiring
    samples: int
    epochs: int
    reference_batch: int
    critical_batch: Optional[float]
    steps_are: str
    price: Optional[str]
    lower_bound: bool
    unknown_ops: Tuple[UnknownOp, ...]
    uncounted_operations: int
    unbounded_operations: int
    runs: Tuple[ScaleRun, ...]
    knee: Optional[ScaleRun]
    recommendation: Optional[ScaleAdvice]
    if_critical_batch: Tuple[SupposedScale, ...]
    verdict: ScaleVerdict
    notes: Tuple[str, ...]
    lower_bound_reason: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['lower_bound_reason'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"wiring": Wiring, "unknown_ops": UnknownOp, "runs": ScaleRun,
        "knee": ScaleRun, "recommendation": ScaleAdvice, "if_critical_batch": SupposedScale, "verdict": ScaleVerdict}


@dataclasses.dataclass(frozen=True, repr=False)
class Links(Answer):
    """An answer of scale.

    links: that are known by name
    """

    links: Tuple[Link, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"links": Link}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenScale(Answer):
    """An answer of scale.

    model: the network
    device: as its name says
    dtype: number format
    method: what is trained
    sequence: tokens of a sample
    tokens: of the job
    searched: plans were looked for
    runs: one for each number of devices
    reasons: as its name says
    notes: what was assumed
    """

    model: str
    device: str
    dtype: str
    method: str
    sequence: int
    tokens: float
    searched: bool
    runs: Tuple[TokenRun, ...]
    reasons: Tuple[str, ...]
    notes: Tuple[str, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"runs": TokenRun}
