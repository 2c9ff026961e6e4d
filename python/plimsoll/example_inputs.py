"""An example of a module's input, given as tensors or shapes: what the module is called with on the meta device."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Mapping, Tuple

from plimsoll.error import Error

_HINT = "give an example: tensors, a shape as (1, 3, 224, 224), or a dict of them"


def _is_shape(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and bool(value) and all(isinstance(one, int) for one in value)


def _meta_input(value: Any) -> Any:
    import torch
    if isinstance(value, torch.Tensor):
        return torch.empty_like(value, device="meta", requires_grad=False)
    if hasattr(value, "__array__") and hasattr(value, "shape"):
        return torch.as_tensor(value).to("meta")
    if _is_shape(value):
        if min(value) < 1:
            raise Error(f"an example has the shape {tuple(value)}, expected sizes of at least 1", hint=_HINT)
        return torch.empty(tuple(value), device="meta")
    if isinstance(value, Mapping):
        return {key: _meta_input(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_meta_input(one) for one in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Error(f"an example cannot hold a {type(value).__name__}", hint=_HINT)


def inputs_of(example: Any) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    """Positional and keyword arguments, on the meta device."""
    if example is None:
        raise Error("a torch module needs an example of its input", hint=_HINT)
    if isinstance(example, str):
        raise Error(f"the example is text, {example[:40]!r}", hint=_HINT)
    if isinstance(example, Mapping):
        return (), {key: _meta_input(value) for key, value in example.items()}
    if isinstance(example, (tuple, list)) and not _is_shape(example):
        return tuple(_meta_input(value) for value in example), {}
    return (_meta_input(example),), {}


def tensors(value: Any) -> Iterator[Any]:
    """Every tensor of a nest of tuples, lists and dicts."""
    import torch
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (Mapping, list, tuple)):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from tensors(one)


def each_tensor(value: Any, change: Callable[[Any], Any], other: Callable[[Any], Any]) -> Any:
    """The same nest, with change() of every tensor and other() of everything else that is no nest."""
    import torch
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, Mapping):
        return {key: each_tensor(one, change, other) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(each_tensor(one, change, other) for one in value)
    return other(value)
