"""Modules of torchvision, timm and transformers: parameters and operations as torch counts them."""
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

import plimsoll as pl  # noqa: E402
from module_zoo import MODULES  # noqa: E402
from plimsoll.example_inputs import inputs_of  # noqa: E402
from plimsoll.torch_export import meta_copy  # noqa: E402


@pytest.mark.parametrize("name", MODULES)
def test_counts_are_torchs(name):
    from torch.utils.flop_counter import FlopCounterMode
    try:
        module, example = MODULES[name]()
    except ImportError as missing:
        pytest.skip(str(missing))
    weight = pl.weigh(module, example)
    assert weight.params == sum(parameter.numel() for parameter in module.parameters())
    assert weight.unknown_ops == ()
    arguments, keywords = inputs_of(example)
    if isinstance(example, dict):  # some of transformers look at values: they run
        keywords, runs = example, module
    else:
        runs = meta_copy(module)
    with FlopCounterMode(display=False) as counted, torch.no_grad():
        runs(*arguments, **keywords)
    assert weight.macs == pytest.approx(counted.get_total_flops() / 2, rel=0.01)


def test_a_module_of_torchvision_fits_as_the_zoo_says():
    pytest.importorskip("torchvision")
    module, example = MODULES["resnet50"]()
    network = pl.load(module, example)
    for question in ({}, {"dtype": "amp"}, {"optimizer": "adamw"}):
        mine = pl.fit(network, device="nvidia-t4", brief=True, **question)
        zoo = pl.fit("resnet50", device="nvidia-t4", brief=True, **question)
        assert (mine.batch, mine.peak_bytes) == (zoo.batch, zoo.peak_bytes)
