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
class Plan(Answer):
    """Plan: part of an answer.

    devices: as its name says
    dp: copies of the network
    tp: devices that share every layer
    pp: stages
    cp: devices that share every sequence
    ep: devices that the experts are divided over
    shard: none, zero1, zero2, zero3, fsdp or hsdp
    offload: none, optimizer or all
    checkpointing: none, selective or full
    micro_batch: samples of a device in one pass
    micro_batches: passes of a step
    """

    devices: int
    dp: int
    tp: int
    pp: int
    cp: int
    ep: int
    shard: str
    offload: str
    checkpointing: str
    micro_batch: int
    micro_batches: int
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
class TokenPlacement(Answer):
    """TokenPlacement: part of an answer.

    device: its name
    kind: of what computes: cpu or gpu
    devices: that share the training
    fits: the micro-batch is under its line
    batch: micro-batch of one device
    needed_bytes: memory of one device
    peak_bytes: where there is room
    plan: how the training is divided
    step_seconds: of one step
    tokens_per_second: of all devices
    peak_flops: operations per second of one device, which mfu is a share of
    peak_format: of that peak
    total_seconds: of the job
    cost: of the job in USD; null without a price
    cost_per_million_tokens: in USD
    price: what it stands on
    bound_by: what most of the step goes to
    mfu: share of the peak that products take
    why_not: when it does not fit
    """

    device: str
    kind: str
    devices: int
    fits: bool
    batch: int
    needed_bytes: int
    peak_bytes: int
    plan: Plan
    step_seconds: float
    tokens_per_second: float
    peak_flops: float
    peak_format: str
    total_seconds: float
    cost: Optional[float]
    cost_per_million_tokens: Optional[float]
    price: Optional[str]
    bound_by: str
    mfu: Optional[float] = None
    why_not: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['mfu', 'why_not'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"plan": Plan}


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


@dataclasses.dataclass(frozen=True, repr=False)
class DevicePart(Answer):
    """DevicePart: part of an answer.

    device: its name
    count: as its name says
    threads: of it, where only a share belongs to the machine
    """

    device: str
    count: Optional[int] = None
    threads: Optional[int] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['count', 'threads'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Price(Answer):
    """Price: part of an answer.

    usd: as its name says
    date: of the price
    """

    usd: float
    date: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Source(Answer):
    """Source: part of an answer.

    title: as its name says
    date: as its name says
    """

    title: str
    date: str
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Figure(Answer):
    """Figure: part of an answer.

    field: as its name says
    value: as its name says
    unit: as its name says
    source: as its name says
    date: as its name says
    note: as its name says
    """

    field: str
    value: float
    unit: str
    source: str
    date: Optional[str] = None
    note: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['date', 'note'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Device(Answer):
    """Device: part of an answer.

    name: as its name says
    title: as its name says
    vendor: as its name says
    kind: as its name says
    generation: as its name says
    released: as its name says
    compute_capability: as its name says
    ecc: where checksums of its memory are: inline takes bandwidth from the data
    note: as its name says
    aliases: other names of it
    instruction_sets: of a CPU
    contains: of a node or an instance
    memory_bytes: as its name says
    memory_max_bytes: that it can be given
    memory_bandwidth: bytes a second
    cores: as its name says
    units: multiprocessors
    tensor_cores: as its name says
    threads: as its name says
    sockets: as its name says
    f32_per_cycle: operations of a core
    base_clock: hertz
    boost_clock: hertz
    vector_clock: hertz
    peak: operations a second by format
    matrix_peak: of matrix units
    core_peak: of one core
    gemm_rate: that a large product reaches, measured
    reached_bandwidth: that a large copy reaches, measured
    l1_cache_bytes: as its name says
    l2_cache_bytes: as its name says
    l3_cache_bytes: as its name says
    l1_bandwidth: bytes a second
    l2_bandwidth: bytes a second
    l3_bandwidth: bytes a second
    core_bandwidth: bytes a second of one core
    tdp_watts: as its name says
    host_link: bytes a second
    device_link: bytes a second
    network: bytes a second
    disk_read: bytes a second
    disk_write: bytes a second
    decode_rate: images a second of one core
    decode_rate_augmented: images a second of one core
    price: bought
    price_per_hour: rented
    sources: of its figures, by key
    figures: every number with its unit and source
    """

    name: str
    title: str
    vendor: str
    kind: str
    generation: Optional[str] = None
    released: Optional[str] = None
    compute_capability: Optional[str] = None
    ecc: Optional[str] = None
    note: Optional[str] = None
    aliases: Optional[Tuple[str, ...]] = None
    instruction_sets: Optional[Tuple[str, ...]] = None
    contains: Optional[Tuple[DevicePart, ...]] = None
    memory_bytes: Optional[int] = None
    memory_max_bytes: Optional[int] = None
    memory_bandwidth: Optional[float] = None
    cores: Optional[int] = None
    units: Optional[int] = None
    tensor_cores: Optional[int] = None
    threads: Optional[int] = None
    sockets: Optional[int] = None
    f32_per_cycle: Optional[float] = None
    base_clock: Optional[float] = None
    boost_clock: Optional[float] = None
    vector_clock: Optional[float] = None
    peak: Optional[Mapping[str, float]] = None
    matrix_peak: Optional[Mapping[str, float]] = None
    core_peak: Optional[Mapping[str, float]] = None
    gemm_rate: Optional[Mapping[str, float]] = None
    reached_bandwidth: Optional[float] = None
    l1_cache_bytes: Optional[int] = None
    l2_cache_bytes: Optional[int] = None
    l3_cache_bytes: Optional[int] = None
    l1_bandwidth: Optional[float] = None
    l2_bandwidth: Optional[float] = None
    l3_bandwidth: Optional[float] = None
    core_bandwidth: Optional[float] = None
    tdp_watts: Optional[float] = None
    host_link: Optional[float] = None
    device_link: Optional[float] = None
    network: Optional[float] = None
    disk_read: Optional[float] = None
    disk_write: Optional[float] = None
    decode_rate: Optional[float] = None
    decode_rate_augmented: Optional[float] = None
    price: Optional[Price] = None
    price_per_hour: Optional[Price] = None
    sources: Optional[Mapping[str, Source]] = None
    figures: Optional[Tuple[Figure, ...]] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['aliases', 'base_clock', 'boost_clock', 'compute_capability',
        'contains', 'core_bandwidth', 'core_peak', 'cores', 'decode_rate', 'decode_rate_augmented', 'device_link',
        'disk_read', 'disk_write', 'ecc', 'f32_per_cycle', 'figures', 'gemm_rate', 'generation', 'host_link',
        'instruction_sets', 'l1_bandwidth', 'l1_cache_bytes', 'l2_bandwidth', 'l2_cache_bytes', 'l3_bandwidth',
        'l3_cache_bytes', 'matrix_peak', 'memory_bandwidth', 'memory_bytes', 'memory_max_bytes', 'network', 'note',
        'peak', 'price', 'price_per_hour', 'reached_bandwidth', 'released', 'sockets', 'sources', 'tdp_watts',
        'tensor_cores', 'threads', 'units', 'vector_clock'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"contains": DevicePart, "price": Price, "price_per_hour": Price,
        "sources": Source, "figures": Figure}
