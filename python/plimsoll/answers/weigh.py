"""Answers of weigh."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from __future__ import annotations

import dataclasses
from typing import ClassVar, FrozenSet, Mapping, Optional, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers.shared import UnknownOp


@dataclasses.dataclass(frozen=True, repr=False)
class Block(Answer):
    """Block: part of an answer of weigh.

    name: as its name says
    count: of equal ones
    params: as its name says
    macs: as its name says
    flops: as its name says
    """

    name: str
    count: int
    params: int
    macs: int
    flops: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Cache(Answer):
    """Cache: part of an answer of weigh.

    kind: of layer
    layers: that keep one
    bytes_per_token: as its name says
    fixed_bytes: whatever the length
    window: tokens that are kept; 0: all
    """

    kind: str
    layers: int
    bytes_per_token: int
    fixed_bytes: int
    window: int
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset([])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Layer(Answer):
    """Layer: part of an answer of weigh.

    name: of the layer, or of a group of layers
    op: the operation
    output_shape: of the (last) operation; null where it is not known
    params: learnable numbers that this layer is the first to read
    buffers: other stored numbers
    macs: multiply-accumulates, forward
    flops: arithmetic operations, forward; a multiply-add is two
    activation_bytes: memory of its outputs
    param_bytes: of its parameters
    input_bytes: of what it reads that is no parameter
    output_bytes: of what it writes
    naive_bytes: everything kept
    moved_bytes: read and written
    flops_per_byte: arithmetic intensity
    operations: more than 1 for a group of layers
    certainty: exact, at most, unbounded or unknown
    rounds: that the units asked for need for its outputs
    """

    name: str
    op: str
    output_shape: Optional[Tuple[int, ...]]
    params: int
    buffers: int
    macs: int
    flops: int
    activation_bytes: int
    param_bytes: int
    input_bytes: int
    output_bytes: int
    naive_bytes: int
    moved_bytes: int
    flops_per_byte: float
    operations: int
    certainty: str
    rounds: Optional[int] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['rounds'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {}


@dataclasses.dataclass(frozen=True, repr=False)
class Weight(Answer):
    """An answer of weigh.

    model: the network
    batch: samples a step
    dtype: number format
    mode: training or inference
    optimizer: whose state is counted
    params: learnable numbers
    trainable_params: those that a training step changes
    buffers: the rest that is stored: batch-norm statistics
    stored_numbers: parameters and buffers
    macs: multiply-accumulates of convolutions and matrix products, forward
    flops: arithmetic operations, forward; a multiply-add is two
    train_flops: of one training step: forward, backward, update
    param_bytes: of the parameters
    buffer_bytes: of the buffers
    input_bytes: of the inputs
    activation_bytes: of all layers' outputs
    optimizer_bytes: of the optimizer's state
    naive_bytes: everything kept
    moved_bytes: read and written, forward
    untied_params: tied ones counted as often as they are read
    active_params: that one token passes through
    layers: in the order and grouping asked for
    unknown_ops: operations that are not known and not counted
    uncounted_operations: known, on shapes that are not known
    at_most_operations: whose cost is the largest that it can be
    unbounded_operations: in loops without a known end, counted once
    notes: as its name says
    tokens: of a sample
    flops_per_token: forward
    train_flops_per_token: as its name says
    kv_bytes_per_token: of the caches of all layers
    caches: by kind of layer
    blocks: stacks of equal blocks
    epochs: until the result, as given
    epoch_seconds: as given
    total_seconds: to the result
    """

    model: str
    batch: int
    dtype: str
    mode: str
    optimizer: str
    params: int
    trainable_params: int
    buffers: int
    stored_numbers: int
    macs: int
    flops: int
    train_flops: int
    param_bytes: int
    buffer_bytes: int
    input_bytes: int
    activation_bytes: int
    optimizer_bytes: int
    naive_bytes: int
    moved_bytes: int
    untied_params: int
    active_params: int
    layers: Tuple[Layer, ...]
    unknown_ops: Tuple[UnknownOp, ...]
    uncounted_operations: int
    at_most_operations: int
    unbounded_operations: int
    notes: Tuple[str, ...]
    tokens: Optional[int] = None
    flops_per_token: Optional[int] = None
    train_flops_per_token: Optional[int] = None
    kv_bytes_per_token: Optional[int] = None
    caches: Optional[Tuple[Cache, ...]] = None
    blocks: Optional[Tuple[Block, ...]] = None
    epochs: Optional[int] = None
    epoch_seconds: Optional[float] = None
    total_seconds: Optional[float] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['blocks', 'caches', 'epoch_seconds', 'epochs', 'flops_per_token',
        'kv_bytes_per_token', 'tokens', 'total_seconds', 'train_flops_per_token'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"layers": Layer, "unknown_ops": UnknownOp, "caches": Cache,
        "blocks": Block}


@dataclasses.dataclass(frozen=True, repr=False)
class WeighComparison(Answer):
    """An answer of weigh.

    models: one entry a network
    first_done: the network whose training is over first
    """

    models: Tuple[Weight, ...]
    first_done: Optional[str] = None
    schema: Optional[str] = None

    _optional: ClassVar[FrozenSet[str]] = frozenset(['first_done'])
    _parts: ClassVar[Mapping[str, Type[Answer]]] = {"models": Weight}
