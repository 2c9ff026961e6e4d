"""Answers as tables of pandas."""
import pytest

import plimsoll as pl


def test_tables():
    layers = pl.weigh("resnet18").to_pandas()
    assert layers["params"].sum() == 11_689_512
    assert set(pl.place("lenet5", samples=1000).to_pandas().columns) >= {"device", "cost", "stages.compute_seconds"}
    assert len(pl.models().to_pandas()) == len(pl.models().models)
    assert "nvidia-t4" in set(pl.devices().to_pandas()["name"])
    assert list(pl.scale("lenet5", device="nvidia-t4", workers=[1, 2]).to_pandas()["workers"]) == [1, 2]


def test_what_has_no_table_says_so():
    with pytest.raises(pl.Error, match="has no table"):
        pl.fit("lenet5", device="nvidia-t4", brief=True).range.to_pandas()
