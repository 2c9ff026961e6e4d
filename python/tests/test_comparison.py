"""Predicted beside measured."""
import pytest

import plimsoll as pl


def test_steps_are_counted_and_put_beside_the_plan():
    ran = []
    compared = pl.compare(lambda: ran.append(bytearray(1000)), "lenet5", device="nvidia-t4", batch=32, steps=4)
    assert len(ran) == compared.steps == 4
    plan = pl.fit("lenet5", device="nvidia-t4", batch=32, brief=True)
    assert compared.predicted_bytes == plan.peak_bytes
    assert compared.measured_seconds > 0 and compared.predicted_seconds > 0
    assert "predicted" in str(compared) and "measured" in str(compared)


def test_without_a_model_there_is_only_what_was_measured():
    compared = pl.compare(lambda: None, steps=1)
    assert compared.predicted_bytes is None and "—" in str(compared)


def test_no_steps_are_a_mistake():
    with pytest.raises(pl.Error):
        pl.compare(lambda: None, steps=0)
