"""Callbacks that print predicted beside measured memory and time after the first steps.

    from plimsoll.callbacks import lightning_callback, trainer_callback
    lightning.Trainer(callbacks=[lightning_callback(example)])
    transformers.Trainer(…, callbacks=[trainer_callback(sequence=512)])

The batch and the optimizer are the trainer's, the device is the card in use (else this machine), unless they are given
as fit() takes them. Lightning and transformers are imported when one of these is called.
"""
from __future__ import annotations

import importlib
import sys
from typing import Any, Dict, Optional

from plimsoll.comparison import Comparison, Meter, _predicted_seconds
from plimsoll.error import Error
from plimsoll.network import Example, load
from plimsoll.verbs import fit


def _machine() -> Dict[str, Any]:
    """Where the training runs: PyTorch's card, or this machine."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        return {"device": torch.cuda.get_device_name()}
    return {"device": "this", "framework": "pytorch"}


def _named(optimizer: Any) -> Optional[str]:
    """What the library calls the trainer's optimizer; None where it has none of the kind."""
    optimizer = getattr(optimizer, "optimizer", optimizer)  # accelerate wraps it
    name = type(optimizer).__name__.lower()
    if name == "sgd":
        groups = optimizer.param_groups
        plain = not any(group.get("momentum") for group in groups)
        return "sgd" if plain else "nesterov" if any(group.get("nesterov") for group in groups) else "momentum"
    return name if name in ("adam", "adamw", "rmsprop", "lion") else None


class Watch:
    """Counts steps and says the comparison once. A question that has no answer is said too; training goes on."""

    def __init__(self, example: Optional[Example], steps: int, question: Dict[str, Any]) -> None:
        self.example, self.steps, self.question = example, steps, question
        self.meter = Meter()
        self.result: Optional[Comparison] = None

    def begin(self, batch: Any = None, optimizer: Any = None) -> None:
        if isinstance(batch, int):
            self.question.setdefault("batch", batch)
        if optimizer is not None and _named(optimizer):
            self.question.setdefault("optimizer", _named(optimizer))
        if "device" not in self.question and "memory" not in self.question:
            self.question.update({**_machine(), **self.question})
        self.meter.begin()

    def step(self, model: Any) -> None:
        if self.result is not None:
            return
        self.meter.step()
        if len(self.meter.times) < self.steps:
            return
        measured = self.meter.memory(model)  # before the export, which is no part of the training
        try:
            network = load(model, self.example)
            predicted = fit(network, **{"brief": True, **self.question})
            seconds = _predicted_seconds(network, None, self.question)
            self.result = self.meter.against(predicted, seconds, measured)
        except Error as error:
            print(f"plimsoll: no prediction: {error}")
            self.result = self.meter.against(None, None, measured)
        print(self.result)


def _base(names: "list[tuple[str, str]]") -> Any:
    for module, name in names:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    missing = " or ".join(module for module, _ in names)
    raise Error(f"there is no {missing} here", hint=f"pip install {names[0][0].split('.')[0]}")


def lightning_callback(example: Optional[Example] = None, *, steps: int = 5, **question: Any) -> Any:
    """For Lightning's Trainer(callbacks=[…]); question as fit() takes it. Without an example the module's own
    example_input_array is taken."""
    base = _base([("lightning.pytorch.callbacks", "Callback"), ("pytorch_lightning.callbacks", "Callback")])

    class PlimsollCallback(base):  # type: ignore[misc,valid-type]
        watch = Watch(example, steps, question)

        def on_train_start(self, trainer: Any, module: Any) -> None:
            if self.watch.example is None:
                self.watch.example = getattr(module, "example_input_array", None)
            optimizers = getattr(trainer, "optimizers", None) or [None]
            self.watch.begin(getattr(getattr(trainer, "train_dataloader", None), "batch_size", None), optimizers[0])

        def on_train_batch_end(self, trainer: Any, module: Any, *rest: Any) -> None:
            self.watch.step(module)

    return PlimsollCallback()


def trainer_callback(example: Optional[Example] = None, *, steps: int = 5, **question: Any) -> Any:
    """For transformers.Trainer(callbacks=[…]); question as fit() takes it. A model whose family is known needs no
    example, only the tokens of a sample: sequence=512."""
    base = _base([("transformers", "TrainerCallback")])

    class PlimsollCallback(base):  # type: ignore[misc,valid-type]
        watch = Watch(example, steps, question)

        def on_train_begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            self.watch.begin(args.per_device_train_batch_size, rest.get("optimizer"))

        def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **rest: Any) -> None:
            self.watch.step(model)

    return PlimsollCallback()
