"""torch.nn.Transformer asks its mask whether it hides what comes later, which a mask without numbers cannot answer."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional


@contextlib.contextmanager
def assumed() -> Iterator[None]:
    """While a module is traced: a square mask of positions is taken for a causal one, as nearly all are. Only inside of
    attention_ranks.four(), which lets one trace at a time replace what torch has."""
    from torch.nn.modules import transformer
    real: Any = getattr(transformer, "_detect_is_causal_mask", None)
    if real is None:
        yield
        return

    def detect(mask: Any, is_causal: Optional[bool] = None, size: Optional[int] = None) -> bool:
        if is_causal is not None or mask is None:
            return bool(is_causal)
        return bool(mask.dim() >= 2 and mask.shape[-1] == mask.shape[-2])

    setattr(transformer, "_detect_is_causal_mask", detect)
    try:
        yield
    finally:
        setattr(transformer, "_detect_is_causal_mask", real)
