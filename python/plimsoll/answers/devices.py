"""Answers of devices."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer


@dataclasses.dataclass(frozen=True, repr=False)
class DevicePart(Answer):
    """DevicePart: part of an answer of devices.

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
    """Price: part of an answer of devices.

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
    """Source: part of an answer of devices.

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
    """Figure: part of an answer of devices.

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
    """Device: part of an answer of devices.

    name: as its name says
    title: as its name says
    vendor: as its name says
    kind: as its name says
    generation: as its name says
    released: as its name says
    compute_capability: as its name says
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
        'disk_read', 'disk_write', 'f32_per_cycle', 'figures', 'generation', 'host_link', 'instruction_sets',
        'l1_bandwidth', 'l1_cache_bytes', 'l2_bandwidth', 'l2_cache_bytes', 'l3_bandwidth', 'l3_cache_bytes',
        'matrix_peak', 'memory_bandwidth', 'memory_bytes', 'memory_max_bytes', 'network', 'note', 'peak', 'price',
        'price_per_hour', 'released', 'sockets', 'sources', 'tdp_watts', 'tensor_cores', 'threads', 'units',
        'vector_clock'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"contains": DevicePart, "price": Price, "price_per_hour": Price,
        "sources": Source, "figures": Figure}


@dataclasses.dataclass(frozen=True, repr=False)
class Devices(Answer):
    """An answer of devices.

    devices: as its name says
    """

    devices: Tuple[Device, ...]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"devices": Device}
