"""The callbacks count steps and say the comparison once; a question without an answer does not stop a training."""
import sys
import types

import pytest

import plimsoll as pl
from plimsoll import callbacks


class Base:
    pass


@pytest.fixture
def trainers(monkeypatch):
    """Stand-ins for the packages: only the base classes are theirs."""
    transformers = types.ModuleType("transformers")
    transformers.TrainerCallback = Base
    lightning = types.ModuleType("lightning.pytorch.callbacks")
    lightning.Callback = Base
    for name, module in (("transformers", transformers), ("lightning", types.ModuleType("lightning")),
                         ("lightning.pytorch", types.ModuleType("lightning.pytorch")),
                         ("lightning.pytorch.callbacks", lightning)):
        monkeypatch.setitem(sys.modules, name, module)


def network(resnet18_file):
    return pl.load(resnet18_file)


def test_the_trainers_batch_is_asked_about(trainers, resnet18_file, capsys):
    callback = callbacks.trainer_callback(None, steps=3, device="nvidia-t4")
    model = network(resnet18_file)
    callback.on_train_begin(types.SimpleNamespace(per_device_train_batch_size=4), None, None)
    for _ in range(5):
        callback.on_step_end(None, None, None, model=model)
    said = capsys.readouterr().out
    assert said.count("predicted") == 1 and "3 steps" in said
    plan = pl.fit(model, device="nvidia-t4", batch=4, brief=True)
    assert callback.watch.result.predicted_bytes == plan.allocated_bytes


def test_lightning_counts_batches(trainers, resnet18_file, capsys):
    callback = callbacks.lightning_callback(None, steps=2, device="nvidia-t4", batch=4)
    callback.on_train_start(None, None)
    for index in range(3):
        callback.on_train_batch_end(None, network(resnet18_file), None, None, index)
    assert capsys.readouterr().out.count("measured") == 1


def test_a_mistake_is_said_and_the_training_goes_on(trainers, resnet18_file, capsys):
    callback = callbacks.lightning_callback(None, steps=1, device="no-such-device")
    callback.on_train_start(None, None)
    callback.on_train_batch_end(None, network(resnet18_file), None, None, 0)
    said = capsys.readouterr().out
    assert "no prediction" in said and "no-such-device" in said


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(pl.Error, match="transformers"):
        callbacks.trainer_callback(None)
