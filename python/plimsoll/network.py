"""What may stand for a model: a name, a path, bytes, a torch module, or one that was loaded before."""
from __future__ import annotations

import os
import sys
from typing import Any, Dict, Mapping, Optional, Protocol, Sequence, Union

from plimsoll.error import Error
from plimsoll.library import Loaded


class Module(Protocol):
    """A torch.nn.Module, as far as we need to know one without importing torch."""

    training: bool

    def named_parameters(self) -> Any: ...

    def named_modules(self) -> Any: ...


class Network:
    """A network that was read once and can be asked about many times: what load() returns."""

    def __init__(self, loaded: Loaded, name: str, weights_are_away: bool = False) -> None:
        self.loaded = loaded
        self.name = name
        self.weights_are_away = weights_are_away  # a module's: left out on purpose

    def ask(self, verb: str, request: Dict[str, Any]) -> Dict[str, Any]:
        _, answer = self.loaded.ask(verb, request)
        answer["model"] = self.name
        if self.weights_are_away and "notes" in answer:
            answer["notes"] = [note for note in answer["notes"] if not note.startswith("weights is absent")]
        return answer

    def __repr__(self) -> str:
        return f"<plimsoll network {self.name}>"


ModelLike = Union[str, "os.PathLike[str]", bytes, bytearray, Module, Network, Sequence[str]]
Example = Union[Any, Sequence[Any], Mapping[str, Any]]


def is_module(model: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def load(model: ModelLike, example: Optional[Example] = None) -> Network:
    """Reads a network once, so that asking about it again costs nothing: a torch module is exported, bytes of an
    .onnx file are parsed. Zoo names and paths need no loading."""
    if isinstance(model, Network):
        return model
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Network(Loaded(bytes(model)), "bytes")
    if is_module(model):
        from plimsoll import torch_export
        return Network(Loaded(torch_export.onnx_bytes(model, example)), type(model).__name__, True)
    if isinstance(model, (str, os.PathLike)):
        try:
            with open(model, "rb") as file:
                return Network(Loaded(file.read()), os.fspath(model))
        except OSError as error:
            raise Error(f"cannot be read: {error.strerror}", os.fspath(model)) from None
    raise Error(f"a {type(model).__module__}.{type(model).__name__} is no model",
                hint="give a name of the zoo, the path or bytes of an .onnx file, or a torch.nn.Module")
