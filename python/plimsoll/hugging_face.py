"""Models and configs of transformers: planned from their config.json where the library knows the family."""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, Mapping, Optional, Tuple

from plimsoll.error import Error

_TOKENS = {"input_ids", "attention_mask", "token_type_ids", "position_ids", "labels", "decoder_input_ids",
           "decoder_attention_mask"}
_FORMATS = {"torch.float32": "f32", "torch.bfloat16": "bf16", "torch.float16": "f16", "torch.float64": "f64"}


def _of_transformers(model: object, name: str) -> bool:
    transformers = sys.modules.get("transformers")
    kind = getattr(transformers, name, None) if transformers is not None else None
    return kind is not None and isinstance(model, kind)


def is_config(model: object) -> bool:
    return _of_transformers(model, "PretrainedConfig") or _of_transformers(model, "PreTrainedConfig")


def is_model(model: object) -> bool:
    return _of_transformers(model, "PreTrainedModel")


def config_text(config: Any, architecture: Optional[str] = None) -> bytes:
    """The config as its file would have it, with every default written out."""
    fields = json.loads(config.to_json_string(use_diff=False))
    fields.pop("quantization_config", None)
    if architecture:
        fields["architectures"] = [architecture]
    return json.dumps({key: value for key, value in fields.items() if value is not None}).encode()


def _sizes(value: Any) -> Tuple[int, ...]:
    shape = getattr(value, "shape", value)
    return tuple(shape) if isinstance(shape, (tuple, list)) and all(isinstance(one, int) for one in shape) else ()


def sequence_of(example: Any) -> Optional[int]:
    """Tokens of a sample, where the example is nothing but tokens, all of one length."""
    parts = example if isinstance(example, Mapping) else {"input_ids": example}
    shapes = [_sizes(value) for value in parts.values()]
    if not set(parts) <= _TOKENS or not shapes or any(len(shape) != 2 or shape != shapes[0] for shape in shapes):
        return None
    return int(shapes[0][1])


def defaults_of(model: Any, example: Any) -> Optional[Dict[str, Any]]:
    """What the config leaves open and this model fixes; None where the config does not stand for the model."""
    if any(not parameter.requires_grad for parameter in model.parameters()):
        return None
    formats = {str(parameter.dtype) for parameter in model.parameters()}
    if len(formats) != 1:
        return None
    fields: Dict[str, Any] = {}
    if next(iter(formats)) in _FORMATS:
        fields["dtype"] = _FORMATS[next(iter(formats))]
    attention = attention_of(model.config)
    if attention is not None:
        fields["attention"] = attention
    if example is not None:
        # An example of sound or pictures is no number of tokens.
        fields["sequence"] = sequence_of(example) if getattr(model, "main_input_name", "") == "input_ids" else None
        if fields["sequence"] is None:
            return None
    return fields


def _shares_keys(config: Any) -> bool:
    """Whether its calls of PyTorch's attention hand over keys that several heads share as they are: transformers did
    write them out for each head, and still does where scores are bent."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    heads, shared = getattr(text, "num_attention_heads", None), getattr(text, "num_key_value_heads", None)
    if not heads or not shared or shared == heads or getattr(text, "attn_logit_softcapping", None):
        return False
    try:
        from transformers.integrations import sdpa_attention
    except ImportError:
        return False
    return hasattr(sdpa_attention, "use_gqa_in_sdpa")


def attention_of(config: Any) -> Optional[str]:
    """How the model was told to compute attention, where that is not what is planned anyway."""
    kind = str(getattr(config, "_attn_implementation", None) or "")
    if kind.startswith("flash_attention") or (kind == "sdpa" and _shares_keys(config)):
        return "flash"  # reads shared keys where they are
    return "eager" if kind == "eager" else None


def as_module(config: Any) -> Any:
    """The model of a config whose family the library does not know, on the meta device."""
    import torch
    import transformers
    names = getattr(config, "architectures", None) or []
    kind: Any = getattr(transformers, names[0], None) if names else None
    automatic: Any = transformers.AutoModel  # whose methods have no types
    with torch.device("meta"):
        try:
            return kind(config) if kind is not None else automatic.from_config(config)
        except Exception as error:  # noqa: BLE001  a config may hold anything
            raise Error(f"transformers builds no model from it: {str(error).splitlines()[0][:200]}",
                        type(config).__name__) from error
