"""What may stand for a model: a name, a path, bytes, a torch module, a model or config of transformers, or one that
was loaded before."""
from __future__ import annotations

import os
import sys
from typing import Any, Dict, Mapping, Optional, Protocol, Sequence, Union

from plimsoll import hugging_face, library
from plimsoll.error import Error
from plimsoll.library import Loaded
from plimsoll.rows import ROWS


class Module(Protocol):
    """A torch.nn.Module, as far as we need to know one without importing torch."""

    training: bool

    def named_parameters(self) -> Any: ...

    def named_modules(self) -> Any: ...


class Config(Protocol):
    """A PretrainedConfig of transformers, as far as we need to know one."""

    def to_json_string(self, use_diff: bool = True) -> str: ...


class Network:
    """A network that was read once and can be asked about many times: what load() returns."""

    def __init__(self, loaded: Loaded, name: str, weights_are_away: bool = False,
                 defaults: Optional[Mapping[str, Any]] = None) -> None:
        self.loaded = loaded
        self.name = name
        self.weights_are_away = weights_are_away  # a module's: left out on purpose
        self.defaults = dict(defaults or {})  # of the request: what the model itself says
        self.trained: Optional[int] = None  # parameters that are trained, where it is not all of them

    def ask(self, verb: str, request: Dict[str, Any]) -> Dict[str, Any]:
        own = {name: value for name, value in self.defaults.items() if name in ROWS[verb]}
        _, answer = self.loaded.ask(verb, {**own, **request})
        answer["model"] = self.name
        if self.trained is not None and "trainable_params" in answer:
            answer["trainable_params"] = self.trained
        for key in ("notes", "sentences"):
            if self.weights_are_away and key in answer:
                answer[key] = [note for note in answer[key] if "weights is absent" not in note]
        return answer

    def __repr__(self) -> str:
        return f"<plimsoll network {self.name}>"


_NOT_READ = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".h5", ".keras", ".tflite", ".pb")

ModelLike = Union[str, "os.PathLike[str]", bytes, bytearray, Module, Config, Network, Sequence[str]]
Example = Union[Any, Sequence[Any], Mapping[str, Any]]


def is_module(model: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def _from_config(model: Any, example: Optional[Example]) -> Optional[Network]:
    """A model of transformers whose family the library knows and whose parameters are those of its config."""
    defaults = hugging_face.defaults_of(model, example)
    if defaults is None:
        return None
    try:
        loaded = Loaded(hugging_face.config_text(model.config, type(model).__name__))
        network = Network(loaded, type(model).__name__, defaults=defaults)
        counted = network.ask("weigh", {"depth": 0})["params"]
    except Error:
        return None
    return network if counted == sum(parameter.numel() for parameter in model.parameters()) else None


def _from_module(model: Any, example: Optional[Example]) -> Network:
    from plimsoll import torch_export
    exported = torch_export.exported(model, example)
    network = Network(Loaded(exported.content), type(model).__name__, True)
    if exported.frozen:
        network.defaults["method"] = "freeze:" + ",".join(exported.frozen)
        network.trained = sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
    return network


def _of_config(config: Any, example: Optional[Example]) -> Network:
    sequence = None if example is None else hugging_face.sequence_of(example)
    try:
        return Network(Loaded(hugging_face.config_text(config)), type(config).__name__,
                       defaults={} if sequence is None else {"sequence": sequence})
    except Error as unknown:
        if example is None:
            raise Error(unknown.what, type(config).__name__, "give an example too: it is then exported") from None
        return _from_module(hugging_face.as_module(config), example)


def load(model: ModelLike, example: Optional[Example] = None) -> Network:
    """Reads a network once, so that asking about it again costs nothing: a torch module is exported, bytes of an
    .onnx file are parsed, a model of transformers is planned from its config. Zoo names and paths need no loading."""
    if isinstance(model, Network):
        return model
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Network(Loaded(bytes(model)), "bytes")
    if hugging_face.is_config(model):
        return _of_config(model, example)
    if is_module(model):
        known = _from_config(model, example) if hugging_face.is_model(model) else None
        return known or _from_module(model, example)
    if isinstance(model, (str, os.PathLike)):
        if os.fspath(model).endswith(_NOT_READ):
            library.ask("weigh", {"model": os.fspath(model)})  # it says what to do instead
        try:
            with open(model, "rb") as file:
                return Network(Loaded(file.read()), os.fspath(model))
        except OSError as error:
            raise Error(f"cannot be read: {error.strerror}", os.fspath(model)) from None
    raise Error(f"a {type(model).__module__}.{type(model).__name__} is no model",
                hint="give a name of the zoo, the path or bytes of an .onnx file, or a torch.nn.Module")
