"""Predicted beside measured."""
import pytest

import plimsoll as pl


def test_steps_are_counted_and_put_beside_the_plan():
    ran = []
    compared = pl.compare(lambda: ran.append(bytearray(1000)), "lenet5", device="nvidia-t4", batch=32, steps=4)
    assert len(ran) == compared.steps == 4
    plan = pl.fit("lenet5", device="nvidia-t4", batch=32, brief=True)
    assert compared.predicted_bytes == plan.allocated_bytes < plan.peak_bytes  # there is no context on a CPU
    assert compared.measured_seconds > 0 and compared.predicted_seconds > 0
    assert "predicted" in str(compared) and "measured" in str(compared)


def test_without_a_model_there_is_only_what_was_measured():
    compared = pl.compare(lambda: None, steps=1)
    assert compared.predicted_bytes is None and "—" in str(compared)


def test_no_steps_are_a_mistake():
    with pytest.raises(pl.Error):
        pl.compare(lambda: None, steps=0)


def test_memory_is_that_of_the_steps_alone():
    before = bytearray(200 << 20)
    before[:: 4096] = b"x" * len(before[:: 4096])
    del before  # a peak of earlier is none of the steps'

    def step():
        block = bytearray(50 << 20)
        block[:: 4096] = b"x" * len(block[:: 4096])

    compared = pl.compare(step, steps=3)
    assert 45 << 20 < compared.measured_bytes < 90 << 20
