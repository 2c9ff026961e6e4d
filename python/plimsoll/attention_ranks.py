"""PyTorch's attention takes queries of any rank, its exporter of four alone: here they are given as four."""
from __future__ import annotations

import contextlib
import threading
from typing import Any, Iterator

_one_at_a_time = threading.RLock()  # two that overlap would each put back what the other has put there


def _as_four(tensor: Any) -> Any:
    return tensor.unsqueeze(1) if tensor.dim() == 3 else tensor.flatten(0, tensor.dim() - 4)


@contextlib.contextmanager
def four() -> Iterator[None]:
    """While a module is traced. A mask of another rank than four is left as it is: it broadcasts."""
    with _one_at_a_time, _replaced():
        yield


@contextlib.contextmanager
def _replaced() -> Iterator[None]:
    from torch.nn import functional
    real = functional.scaled_dot_product_attention

    def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, *rest: Any, **more: Any) -> Any:
        if query.dim() == 4 or query.dim() < 3 or not query.dim() == key.dim() == value.dim():
            return real(query, key, value, attn_mask, *rest, **more)
        if attn_mask is not None and attn_mask.dim() == query.dim():
            attn_mask = _as_four(attn_mask.expand(*query.shape[:-2], *attn_mask.shape[-2:]))
        found = real(_as_four(query), _as_four(key), _as_four(value), attn_mask, *rest, **more)
        return found.squeeze(1) if query.dim() == 3 else found.reshape(*query.shape[:-2], *found.shape[-2:])

    functional.scaled_dot_product_attention = attention
    try:
        yield
    finally:
        functional.scaled_dot_product_attention = real
