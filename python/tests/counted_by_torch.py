"""What torch itself says of a module, beside what we say."""
import dataclasses
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

import plimsoll as pl
from plimsoll.example_inputs import each_tensor, inputs_of

BATCH = 2


@dataclasses.dataclass(frozen=True)
class Counted:
    params: int
    torch_params: int
    macs: int
    torch_macs: float
    kept: int
    torch_kept: int
    unknown: Any

    @property
    def macs_off(self) -> float:
        return self.macs / self.torch_macs - 1

    @property
    def kept_off(self) -> float:
        return self.kept / self.torch_kept - 1


def _zeros(tensor: Any) -> Any:
    return torch.zeros((BATCH, *tensor.shape[1:]), dtype=tensor.dtype)


def _scores(answer: Any) -> Any:
    if isinstance(answer, torch.Tensor):
        return answer
    return answer[0] if isinstance(answer, (tuple, list)) else next(iter(answer.values()))


def kept_for_backward(module: Any, arguments: Any, keywords: Any) -> int:
    """Bytes that autograd saves in the forward pass and a loss over the last axis, each storage once; parameters
    and buffers are left out."""
    own = {tensor.untyped_storage()._cdata for tensor in (*module.parameters(), *module.buffers())}
    saved = {}

    def pack(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        if storage._cdata not in own:
            saved[storage._cdata] = (storage.nbytes(), tensor)  # held, so that no other gets its address
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        scores = _scores(module(*arguments, **keywords))
        scores = scores.flatten(0, -2)
        torch.nn.functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))
    return sum(size for size, _ in saved.values())


def _inputs(example: Any) -> Any:
    """Of BATCH samples, on the CPU: its fused attention keeps what a GPU's does; a meta tensor's keeps more."""
    arguments, keywords = inputs_of(example)
    return each_tensor((arguments, keywords), _zeros, lambda other: other)


def compared(module: Any, example: Any) -> Counted:
    network = pl.load(module, example)
    weight = pl.weigh(network, batch=BATCH)
    fit = pl.fit(network, memory="1000GiB", framework="pytorch", batch=BATCH)
    arguments, keywords = _inputs(example)
    with FlopCounterMode(display=False) as counted:  # with gradients: without them it refuses parameters as inputs
        module(*arguments, **keywords)
    return Counted(weight.params, sum(parameter.numel() for parameter in module.parameters()), weight.macs,
                   counted.get_total_flops() / 2, fit.kept_bytes or 0, kept_for_backward(module, arguments, keywords),
                   weight.unknown_ops)
