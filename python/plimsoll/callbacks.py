"""Callbacks that print predicted beside measured memory and time after the first steps.

    from plimsoll.callbacks import lightning_callback, trainer_callback
    lightning.Trainer(callbacks=[lightning_callback(example, device="nvidia-t4", batch=32)])
    transformers.Trainer(…, callbacks=[trainer_callback(example, device="nvidia-t4")])

Lightning and transformers are imported when one of these is called.
"""
from __future__ import annotations

import importlib
from typing import Any, Optional

from plimsoll.comparison import Comparison, Meter, _predicted_seconds
from plimsoll.error import Error
from plimsoll.network import Example
from plimsoll.verbs import fit


class Watch:
    """Counts steps and says the comparison once. A question that has no answer is said too; training goes on."""

    def __init__(self, example: Example, steps: int, question: Any) -> None:
        self.example, self.steps, self.question = example, steps, question
        self.meter = Meter()
        self.result: Optional[Comparison] = None

    def begin(self) -> None:
        self.meter.begin()

    def step(self, model: Any) -> None:
        if self.result is not None:
            return
        self.meter.step()
        if len(self.meter.times) < self.steps:
            return
        try:
            predicted = fit(model, self.example, **{"brief": True, **self.question})
            self.result = self.meter.against(predicted, _predicted_seconds(model, self.example, self.question))
        except Error as error:
            print(f"plimsoll: no prediction: {error}")
            self.result = self.meter.against(None)
        print(self.result)


def _base(names: "list[tuple[str, str]]") -> Any:
    for module, name in names:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    missing = " or ".join(module for module, _ in names)
    raise Error(f"there is no {missing} here", hint=f"pip install {names[0][0].split('.')[0]}")


def lightning_callback(example: Example, *, steps: int = 5, **question: Any) -> Any:
    """For Lightning's Trainer(callbacks=[…]); question as fit() takes it, batch being that of the loader."""
    base = _base([("lightning.pytorch.callbacks", "Callback"), ("pytorch_lightning.callbacks", "Callback")])

    class PlimsollCallback(base):  # type: ignore[misc,valid-type]
        watch = Watch(example, steps, question)

        def on_train_start(self, trainer: Any, module: Any) -> None:
            self.watch.begin()

        def on_train_batch_end(self, trainer: Any, module: Any, *rest: Any) -> None:
            self.watch.step(module)

    return PlimsollCallback()


def trainer_callback(example: Example, *, steps: int = 5, **question: Any) -> Any:
    """For transformers.Trainer(callbacks=[…]); the batch, unless given, is the trainer's per device."""
    base = _base([("transformers", "TrainerCallback")])

    class PlimsollCallback(base):  # type: ignore[misc,valid-type]
        watch = Watch(example, steps, question)

        def on_train_begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            question.setdefault("batch", args.per_device_train_batch_size)
            self.watch.begin()

        def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **rest: Any) -> None:
            self.watch.step(model)

    return PlimsollCallback()
