"""Answers of fit."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import Plan, UnknownOp


@dataclasses.dataclass(frozen=True, repr=False)
class Alternative(Answer):
    """Alternative: part of an answer of fit.

    change: what would be changed
    batch: the largest under the line then, of all devices or micro-batches together
    slowdown: time per sample compared with the present setup; null where it is not predicted
    """

    change: str
    batch: int
    slowdown: Optional[float]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Move(Answer):
    """Move: part of an answer of fit.

    what: as its name says
    from_: disk, ram, cache or device
    to: disk, ram, cache or device
    over: the link
    bytes: as its name says
    every_step: else once
    seconds: absent where the rate is not known
    epoch_seconds: of all steps of an epoch
    """

    what: str
    from_: str
    to: str
    over: str
    bytes: int
    every_step: bool
    seconds: Optional[float] = None
    epoch_seconds: Optional[float] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['epoch_seconds', 'seconds'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class NamedBytes(Answer):
    """NamedBytes: part of an answer of fit.

    name: the operation that makes it
    bytes: as its name says
    """

    name: str
    bytes: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class PastLine(Answer):
    """PastLine: part of an answer of fit.

    over_memory_bytes: 0 when it stays inside the memory
    paged_bytes_per_step: of a CPU
    paging_seconds_per_step: of a CPU
    """

    over_memory_bytes: int
    paged_bytes_per_step: int
    paging_seconds_per_step: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Range(Answer):
    """Range: part of an answer of fit.

    low: bytes
    high: bytes
    """

    low: int
    high: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Resident(Answer):
    """Resident: part of an answer of fit.

    what: as its name says
    disk_bytes: as its name says
    ram_bytes: as its name says
    cache_bytes: as its name says
    device_bytes: as its name says
    """

    what: str
    disk_bytes: Optional[int] = None
    ram_bytes: Optional[int] = None
    cache_bytes: Optional[int] = None
    device_bytes: Optional[int] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['cache_bytes', 'device_bytes', 'disk_bytes', 'ram_bytes'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Residence(Answer):
    """Residence: part of an answer of fit.

    disk_bytes: as its name says
    ram_bytes: as its name says
    device_bytes: 0 on a CPU, whose device memory is RAM
    residents: what is where
    moves: what is moved, over what and for how long
    remarks: as its name says
    cache_bytes: the last level's size, where it is known
    """

    disk_bytes: int
    ram_bytes: int
    device_bytes: int
    residents: Tuple[Resident, ...]
    moves: Tuple[Move, ...]
    remarks: Tuple[str, ...]
    cache_bytes: Optional[int] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['cache_bytes'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"residents": Resident, "moves": Move}


@dataclasses.dataclass(frozen=True, repr=False)
class ServingAccuracy(Answer):
    """ServingAccuracy: part of an answer of fit.

    what: was predicted
    rows: published runs that it was compared with
    median_error: as a share of the measurement
    """

    what: str
    rows: int
    median_error: float
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class ServingAlternative(Answer):
    """ServingAlternative: part of an answer of fit.

    change: what would be changed
    concurrency: sequences at the same time then
    context: tokens of a sequence then
    peak_bytes: of one device
    seconds_per_token: of each sequence; null where it is not predicted
    """

    change: str
    concurrency: int
    context: int
    peak_bytes: int
    seconds_per_token: Optional[float]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Tensor(Answer):
    """Tensor: part of an answer of fit.

    name: as its name says
    bytes: as its name says
    shape: absent: a workspace, or the fixed part
    dtype: number format
    """

    name: str
    bytes: int
    shape: Optional[Tuple[int, ...]] = None
    dtype: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['dtype', 'shape'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class TimelineParts(Answer):
    """TimelineParts: part of an answer of fit.

    tensors: bytes of tensors alive during each operation
    workspace: bytes of scratch memory, and what an allocator rounds up to
    fixed: bytes that are taken all the time
    """

    tensors: Tuple[int, ...]
    workspace: Tuple[int, ...]
    fixed: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenAlternative(Answer):
    """TokenAlternative: part of an answer of fit.

    change: what would be changed
    fits: with the batch that was asked for, else with one sample
    batch: the largest micro-batch under the line then
    needed_bytes: then
    devices: as its name says
    slowdown: a device's time for a token compared with the present setup; null where it is not predicted
    """

    change: str
    fits: bool
    batch: int
    needed_bytes: int
    devices: int
    slowdown: Optional[float]
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Fit(Answer):
    """An answer of fit.

    model: the network
    framework: whose memory it is
    mode: training or inference
    dtype: number format
    batch: the batch that was asked for, else the largest under the line; 0: none is
    fits: that batch is under the line
    lower_bound: something is not counted, so the answer is a lower bound
    unknown_ops: operations that are not known and not counted
    uncounted_operations: known, on shapes that are not known
    unbounded_operations: in loops without a known end, counted once
    largest_batch: under the line; 0: not even one sample
    peak_bytes: the most memory in use during a step, as expected
    needed_bytes: to run at all, with nothing cached; decides what fits
    reserved_bytes: of the peak by the framework's allocator, without the context
    allocated_bytes: of that in tensors and scratch memory
    range: what the peak may be
    memory_bytes: of the device, or as given
    load_line: share of the memory that may be filled
    line_bytes: memory under the line
    shortfall_bytes: by which the line is missed; 0 when it fits
    smallest_memory_bytes: that would carry this batch
    evaluation_peak_bytes: of an inference with this batch
    breakdown: bytes at the peak, by what they are
    largest_tensor: of the step
    peak_operation: during which memory is fullest
    at_peak: what is alive then, the largest first
    timeline: bytes during each operation of the step
    timeline_parts: the same by what it is
    alternatives: what would carry more, best first
    sentences: the answer in words
    device: absent when a size of memory was given
    optimizer: of a training
    lower_bound_reason: the same in a sentence
    next_peak_bytes: of one sample more than the largest batch
    arena_bytes: of our own engine, which packs
    bound_bytes: no plan can take less
    kept_bytes: that autograd keeps for the backward pass, at this batch; not when brief
    breaking_tensor: whose allocation crosses the line
    conv_methods: how many convolutions are computed how, by our engine here
    residence: what is where, where that was asked
    """

    model: str
    framework: str
    mode: str
    dtype: str
    batch: int
    fits: bool
    lower_bound: bool
    unknown_ops: Tuple[UnknownOp, ...]
    uncounted_operations: int
    unbounded_operations: int
    largest_batch: int
    peak_bytes: int
    needed_bytes: int
    reserved_bytes: int
    allocated_bytes: int
    range: Range
    memory_bytes: int
    load_line: float
    line_bytes: int
    shortfall_bytes: int
    smallest_memory_bytes: int
    evaluation_peak_bytes: int
    breakdown: Mapping[str, int]
    largest_tensor: Optional[Tensor]
    peak_operation: str
    at_peak: Tuple[Tensor, ...]
    timeline: Tuple[int, ...]
    timeline_parts: TimelineParts
    alternatives: Tuple[Alternative, ...]
    sentences: Tuple[str, ...]
    device: Optional[str] = None
    optimizer: Optional[str] = None
    lower_bound_reason: Optional[str] = None
    next_peak_bytes: Optional[int] = None
    arena_bytes: Optional[int] = None
    bound_bytes: Optional[int] = None
    kept_bytes: Optional[int] = None
    breaking_tensor: Optional[Tensor] = None
    conv_methods: Optional[Mapping[str, int]] = None
    residence: Optional[Residence] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['arena_bytes', 'bound_bytes', 'breaking_tensor', 'conv_methods',
        'device', 'kept_bytes', 'lower_bound_reason', 'next_peak_bytes', 'optimizer', 'residence'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"unknown_ops": UnknownOp, "range": Range, "largest_tensor":
        Tensor, "at_peak": Tensor, "timeline_parts": TimelineParts, "alternatives": Alternative, "breaking_tensor":
        Tensor, "residence": Residence}


@dataclasses.dataclass(frozen=True, repr=False)
class FitByArithmetic(Answer):
    """An answer of fit.

    form: arithmetic
    batch: the batch that was asked for, else the largest under the line
    fits: that batch is under the line
    largest_batch: under the line
    peak_bytes: of that batch
    memory_bytes: of the device, or as given
    load_line: share of the memory that may be filled
    line_bytes: memory under the line
    shortfall_bytes: by which the line is missed
    smallest_memory_bytes: that would carry this batch
    breakdown: bytes, by what they are
    sentences: the answer in words
    device: absent when a size of memory was given
    past_line: what happens past the line
    """

    form: str
    batch: int
    fits: bool
    largest_batch: int
    peak_bytes: int
    memory_bytes: int
    load_line: float
    line_bytes: int
    shortfall_bytes: int
    smallest_memory_bytes: int
    breakdown: Mapping[str, int]
    sentences: Tuple[str, ...]
    device: Optional[str] = None
    past_line: Optional[PastLine] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['device', 'past_line'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"past_line": PastLine}


@dataclasses.dataclass(frozen=True, repr=False)
class FitServing(Answer):
    """An answer of fit.

    model: the network
    framework: that serves it
    mode: generate
    weights: format of the weights
    kv: format of the cache of keys and values
    context: tokens of a sequence
    prompt_tokens: of these read at once
    concurrency: sequences at the same time
    devices: that share the network
    layers_on_host: that the CPU keeps
    fits: it is under the line
    peak_bytes: of one device, context included
    needed_bytes: the same: nothing is cached that could be done without
    allocated_bytes: of that in weights, cache and activations
    memory_bytes: of one device, or as given
    load_line: share of the memory that may be filled
    line_bytes: memory under the line
    shortfall_bytes: by which the line is missed; 0 when it fits
    left_bytes: under the line
    host_bytes: of layers that the CPU keeps
    breakdown: bytes of one device, by what they are
    kv_bytes_per_token: of one sequence, in all layers
    largest_concurrency: at this context; 0: not one sequence
    largest_context: at this concurrency; 0: not one token
    alternatives: what would fit, nearest first
    accuracy: how far off such answers have been
    sentences: the answer in words
    device: absent when a size of memory was given
    breaks: what crosses the line
    seconds_per_token: of each sequence, at the full context
    bound_by: what sets the pace of a token
    """

    model: str
    framework: str
    mode: str
    weights: str
    kv: str
    context: int
    prompt_tokens: int
    concurrency: int
    devices: int
    layers_on_host: int
    fits: bool
    peak_bytes: int
    needed_bytes: int
    allocated_bytes: int
    memory_bytes: int
    load_line: float
    line_bytes: int
    shortfall_bytes: int
    left_bytes: int
    host_bytes: int
    breakdown: Mapping[str, int]
    kv_bytes_per_token: int
    largest_concurrency: int
    largest_context: int
    alternatives: Tuple[ServingAlternative, ...]
    accuracy: Tuple[ServingAccuracy, ...]
    sentences: Tuple[str, ...]
    device: Optional[str] = None
    breaks: Optional[str] = None
    seconds_per_token: Optional[float] = None
    bound_by: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['bound_by', 'breaks', 'device', 'seconds_per_token'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"alternatives": ServingAlternative, "accuracy": ServingAccuracy}


@dataclasses.dataclass(frozen=True, repr=False)
class TokenFit(Answer):
    """An answer of fit.

    model: the network
    framework: whose memory it is
    mode: training
    dtype: number format
    optimizer: as its name says
    method: what is trained
    attention: as its name says
    logits: how the loss computes
    sequence: tokens of a sample
    params: of the network
    trainable_params: adapters or the network's own
    batch: the micro-batch that was asked for, else the largest under the line; 0: none is
    fits: that batch is under the line
    largest_batch: under the line; 0: not even one sample
    largest_sequence: tokens under the line, at the batch that was asked for, else at 1
    peak_bytes: reserved where there is room, with the context
    needed_bytes: to run at all, with nothing cached; decides what fits
    reserved_bytes: of the peak by the framework's allocator, without the context
    allocated_bytes: of that in tensors and scratch memory
    range: what the peak may be
    memory_bytes: of one device, or as given
    load_line: share of the memory that may be filled
    line_bytes: memory under the line
    shortfall_bytes: by which the line is missed; 0 when it fits
    smallest_memory_bytes: that would carry this batch
    breakdown: bytes at the peak, by what they are
    largest_tensor: of the step
    peak_operation: during which memory is fullest
    plan: how the training is divided
    alternatives: what would carry more: those that fit first, the quickest first
    sentences: the answer in words
    device: absent when a size of memory was given
    breaking_tensor: whose allocation crosses the line
    kept_bytes: that autograd keeps for the backward pass; absent with checkpointing and over several devices
    tokens_per_second: of all devices; absent without a device
    mfu: share of the peak that products take
    """

    model: str
    framework: str
    mode: str
    dtype: str
    optimizer: str
    method: str
    attention: str
    logits: str
    sequence: int
    params: int
    trainable_params: int
    batch: int
    fits: bool
    largest_batch: int
    largest_sequence: int
    peak_bytes: int
    needed_bytes: int
    reserved_bytes: int
    allocated_bytes: int
    range: Range
    memory_bytes: int
    load_line: float
    line_bytes: int
    shortfall_bytes: int
    smallest_memory_bytes: int
    breakdown: Mapping[str, int]
    largest_tensor: NamedBytes
    peak_operation: str
    plan: Plan
    alternatives: Tuple[TokenAlternative, ...]
    sentences: Tuple[str, ...]
    device: Optional[str] = None
    breaking_tensor: Optional[NamedBytes] = None
    kept_bytes: Optional[int] = None
    tokens_per_second: Optional[float] = None
    mfu: Optional[float] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['breaking_tensor', 'device', 'kept_bytes', 'mfu',
        'tokens_per_second'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"range": Range, "largest_tensor": NamedBytes, "plan": Plan,
        "alternatives": TokenAlternative, "breaking_tensor": NamedBytes}
