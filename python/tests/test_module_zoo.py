"""Modules of torchvision, timm and transformers: parameters, operations and what is kept as torch counts them."""
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

import plimsoll as pl  # noqa: E402
from counted_by_torch import compared  # noqa: E402
from module_zoo import MODULES  # noqa: E402


@pytest.mark.parametrize("name", MODULES)
def test_counts_are_torchs(name):
    try:
        module, example = MODULES[name]()
    except ImportError as missing:
        pytest.skip(str(missing))
    counted = compared(module, example)
    assert counted.unknown == ()
    assert counted.params == counted.torch_params
    assert counted.macs == pytest.approx(counted.torch_macs, rel=0.01)
    assert counted.kept == pytest.approx(counted.torch_kept, rel=0.05)


def test_a_module_of_torchvision_fits_as_the_zoo_says():
    pytest.importorskip("torchvision")
    module, example = MODULES["resnet50"]()
    network = pl.load(module, example)
    for question in ({}, {"dtype": "amp"}, {"optimizer": "adamw"}):
        mine = pl.fit(network, device="nvidia-t4", brief=True, **question)
        zoo = pl.fit("resnet50", device="nvidia-t4", brief=True, **question)
        assert (mine.batch, mine.peak_bytes) == (zoo.batch, zoo.peak_bytes)
