"""From a call to a request and from its answer to a class."""
from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional

from plimsoll import library
from plimsoll.answer import Answer
from plimsoll.error import Error
from plimsoll.forms import FORMS
from plimsoll.hugging_face import is_config
from plimsoll.network import Example, ModelLike, Network, is_module, load

_TORCH_TYPES = {"torch.float32": "f32", "torch.float": "f32", "torch.float16": "f16", "torch.half": "f16",
                "torch.bfloat16": "bf16", "torch.float64": "f64", "torch.int8": "int8"}


def nearest(verb: str, name: str) -> Error:
    """The library knows its fields and the names that people bring from elsewhere."""
    hint = ""
    try:
        library.ask(verb, {name: None})
    except Error as refused:
        hint = refused.hint
    return Error(f"{verb}() has no argument {name!r}", hint=hint or f"help(plimsoll.{verb}) lists them")


def _value(verb: str, name: str, value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if str(value) in _TORCH_TYPES:
        return _TORCH_TYPES[str(value)]
    if name == "device" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # 4090
    if isinstance(value, float) and value.is_integer():
        return int(value)  # samples=1e6
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, range):
        return list(value)
    if name == "dim" and isinstance(value, Mapping):
        return [f"{key}={size}" for key, size in value.items()]
    if isinstance(value, (list, tuple)):
        return [_value(verb, name, one) for one in value]
    if hasattr(value, "shape") and tuple(value.shape):
        raise Error(f"{name} of {verb}() is a tensor, expected a shape or a number",
                    hint=f"{name}={tuple(value.shape)[1:]} if one sample is meant")
    if hasattr(value, "item"):
        return value.item()
    raise Error(f"{name} of {verb}() is a {type(value).__name__}, expected a number, text or a list of them")


def _chosen(verb: str, fields: Dict[str, Any]) -> Answer:
    """The form of the verb's answer that has all the keys it must have."""
    forms = FORMS[verb]
    for form, required in forms:
        if all(key in fields for key in required):
            return form.from_dict(fields)
    raise Error(f"the library answered {verb} in a form that this package does not know",
                hint="package and library are of different versions")


def ask(verb: str, model: Optional[ModelLike], example: Optional[Example], fields: Mapping[str, Any],
        unknown: Mapping[str, Any]) -> Answer:
    for name in unknown:
        raise nearest(verb, name)
    request = {name: _value(verb, name, value) for name, value in fields.items() if value is not None}
    network: Optional[Network] = None
    if isinstance(model, (list, tuple)):
        request["model"] = [os.fspath(one) for one in model]
    elif isinstance(model, (str, os.PathLike)):
        request["model"] = os.fspath(model)
    elif model is not None:
        network = load(model, example)
    if example is not None and not is_module(model) and not is_config(model):
        hint = f"device={example!r} if that is one" if isinstance(example, str) else \
            "the shape of one sample is input=(3, 224, 224)"
        raise Error(f"{verb}() takes an example only with a torch module", hint=hint)
    return _chosen(verb, network.ask(verb, request) if network else library.ask(verb, request)[1])
