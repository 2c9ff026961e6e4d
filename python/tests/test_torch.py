"""torch modules: exported without weights, planned as they train, left as they were. Needs torch and onnxscript."""
import math
import threading
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

import plimsoll as pl  # noqa: E402
from plimsoll import attention_ranks  # noqa: E402


class Branch(torch.nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, bias=False)
        self.norm = torch.nn.BatchNorm2d(8)
        self.relu = torch.nn.ReLU()

    def forward(self, x):
        return self.relu(self.norm(self.conv(x)))


class Small(torch.nn.Module):
    def __init__(self, last=None):
        super().__init__()
        self.block = Block()
        self.drop = torch.nn.Dropout(0.5)
        self.head = torch.nn.Linear(8, 10)
        self.last = last or torch.nn.Identity()

    def forward(self, x):
        return self.last(self.head(self.drop(self.block(x).mean((2, 3)))))


def test_parameters_layers_and_names_are_the_modules():
    weight = pl.weigh(Small(), (1, 3, 16, 16))
    assert weight.model == "Small" and weight.params == 3 * 8 * 9 + 16 + 90 and weight.buffers == 16
    assert weight.macs == 14 * 14 * 3 * 8 * 9 + 80
    names = [layer.name for layer in weight.layers]
    assert {"block.conv", "block.norm", "block.relu", "drop", "head"} <= set(names)
    assert not [name for name in names if name.startswith("node_")]
    grouped = {layer.name: layer for layer in pl.weigh(Small(), (1, 3, 16, 16), depth=1).layers}
    assert grouped["block"].operations == 3


@pytest.mark.parametrize("example", [(1, 3, 16, 16), [1, 3, 16, 16], torch.zeros(1, 3, 16, 16), ((4, 3, 16, 16),),
                                     {"x": (1, 3, 16, 16)}, {"x": torch.zeros(4, 3, 16, 16)},
                                     (torch.zeros(2, 3, 16, 16),)])
def test_any_form_of_example_gives_the_same_answer(example):
    network = pl.load(Small(), example)
    assert pl.weigh(network, batch=8).macs == 8 * (14 * 14 * 3 * 8 * 9 + 80)


def test_tensors_are_called_as_the_layers_that_leave_them():
    answer = pl.fit(Small(), (1, 3, 64, 64), device="nvidia-t4", batch=64)
    assert answer.largest_tensor.name == "block.conv"
    assert not [sentence for sentence in answer.sentences if "weights is absent" in sentence]


def test_the_batch_is_open():
    answer = pl.fit(Small(), (1, 3, 16, 16), device="nvidia-t4", brief=True)
    assert answer.fits and answer.batch > 100


def test_the_module_is_left_as_it_was():
    module = Small().train()
    module.block.norm.eval()
    before = {name: value.clone() for name, value in module.state_dict().items()}
    pl.weigh(module, (1, 3, 16, 16))
    assert module.training and not module.block.norm.training
    assert all(torch.equal(before[name], value) and value.device.type == "cpu"
               for name, value in module.state_dict().items())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in module.parameters())


def test_what_cannot_be_exported_is_one_line_with_the_path():
    with pytest.raises(pl.Error) as caught:
        pl.weigh(Small(last=Branch()), (1, 3, 16, 16))
    assert caught.value.where == "Small.last" and "\n" not in str(caught.value)


@pytest.mark.parametrize("function, operation", [(torch.special.bessel_j0, "bessel_j0"),
                                                 (lambda x: torch.cdist(x, x), "cdist"),
                                                 (lambda x: torch.from_numpy(x.detach().numpy()), "numpy")])
def test_the_operation_and_the_path_are_named(function, operation):
    class Calls(torch.nn.Module):
        def forward(self, x):
            return function(x)
    with pytest.raises(pl.Error) as caught:
        pl.weigh(Small(last=Calls()), (1, 3, 16, 16))
    assert caught.value.where == "Small.last" and operation in caught.value.what and "\n" not in str(caught.value)


def test_a_module_on_cuda_is_planned_as_one_on_the_cpu():
    from torch._subclasses.fake_tensor import FakeTensorMode  # there is no card here: its tensors are pretended
    with FakeTensorMode(), torch.device("cuda"):
        module = Small()
    assert next(module.parameters()).device.type == "cuda"
    assert pl.weigh(module, (1, 3, 16, 16)).layers == pl.weigh(Small(), (1, 3, 16, 16)).layers


def test_wrong_examples_are_one_line():
    for example in (None, (1, 4, 16, 16), object(), "3x16x16", (0, 3, 16, 16)):
        with pytest.raises(pl.Error) as caught:
            pl.weigh(Small(), example)
        assert "\n" not in str(caught.value)


def test_eight_billion_parameters_take_no_memory():
    import resource
    layer = torch.nn.TransformerEncoderLayer(16384, 64, 65536, batch_first=True, device="meta")
    module = torch.nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    weight = pl.weigh(module, (1, 128, 16384))
    assert time.process_time() - start < 30
    assert weight.params == sum(parameter.numel() for parameter in module.parameters()) > 8e9
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2 * 2 ** 20


def test_a_step_is_compared_with_its_plan():
    module = Small()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    samples = torch.randn(8, 3, 16, 16)

    def step():
        optimizer.zero_grad()
        module(samples).sum().backward()
        optimizer.step()

    compared = pl.compare(step, module, samples, memory="8GiB", batch=8, steps=3)
    assert compared.measured_seconds > 0 and compared.predicted_bytes > 0


class Rotary(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 8)
        self.register_buffer("frequencies", torch.arange(8.0))

    def forward(self, x):
        return self.head(x) * self.frequencies


def test_a_buffer_is_no_parameter():
    assert pl.weigh(Rotary(), (1, 8)).params == 72


class Gated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 8)
        self.scale = torch.tensor([2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])

    def forward(self, x):
        return self.head(x) * self.scale + torch.tensor(1.0)


def test_a_tensor_of_the_modules_code_is_no_parameter():
    assert pl.weigh(Gated(), (1, 8)).params == 72


def test_half_precision_is_taken_from_torch():
    assert pl.weigh("lenet5", dtype=torch.bfloat16).dtype == "bf16"


class Pieces(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.all = torch.nn.Linear(8, 24)

    def forward(self, x):
        query, key, value = self.all(x).split(8, dim=2)
        return query * key + value


def test_a_split_is_trained_through():
    network = pl.load(Pieces(), (1, 4, 8))
    assert "split" in [layer.op for layer in pl.weigh(network).layers]
    assert pl.fit(network, device="nvidia-t4", batch=4, brief=True).fits


def head_alone():
    module = Small()
    for name, parameter in module.named_parameters():
        parameter.requires_grad_(name.startswith("head"))
    return module


def test_frozen_parameters_are_not_trained():
    example = (1, 3, 16, 16)
    whole, head = pl.weigh(Small(), example), pl.weigh(head_alone(), example)
    assert (head.params, head.trainable_params) == (whole.params, 90)
    question = {"device": "nvidia-t4", "optimizer": "adam", "batch": 64}
    all_fit, fit = pl.fit(Small(), example, **question), pl.fit(head_alone(), example, **question)
    assert fit.breakdown["optimizer"] == pytest.approx(2 * 4 * 90, abs=128)  # and counters of steps
    assert fit.kept_bytes < all_fit.kept_bytes / 10
    assert any("not trained" in sentence for sentence in fit.sentences)


def test_a_module_at_rest_is_for_inference():
    module = Small()
    module.requires_grad_(False)
    network = pl.load(module, (1, 3, 16, 16))
    assert pl.weigh(network).trainable_params == 0
    assert pl.fit(network, device="nvidia-t4", mode="inference", batch=1, brief=True).fits
    with pytest.raises(pl.Error) as caught:
        pl.fit(network, device="nvidia-t4")
    assert "nothing is left to train" in caught.value.what and "inference" in caught.value.hint


def test_a_module_in_eval_is_planned_as_it_trains():
    example = (1, 3, 16, 16)
    trained, evaluated = pl.weigh(Small().train(), example), pl.weigh(Small().eval(), example)
    assert trained.layers == evaluated.layers and "drop" in [layer.name for layer in trained.layers]


class WantsTargets(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 8)

    def forward(self, x, targets=None):
        if self.training and targets is None:
            raise ValueError("targets should be given")
        return self.head(x)


def test_a_module_that_trains_with_targets_is_planned_without():
    assert pl.weigh(WantsTargets().eval(), (1, 8)).params == 72


class ManyAxes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.all = torch.nn.Linear(8, 24)

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(*self.all(x).chunk(3, dim=-1))


@pytest.mark.parametrize("shape", [(2, 6, 8), (2, 3, 6, 8), (2, 4, 3, 6, 8)])
def test_attention_of_any_rank(shape):
    real = torch.nn.functional.scaled_dot_product_attention
    weight = pl.weigh(ManyAxes(), shape, batch=2)
    rows = math.prod(shape[:-1])
    assert weight.macs == rows * 8 * 24 + 2 * rows * 6 * 8
    assert torch.nn.functional.scaled_dot_product_attention is real


class Translation(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.both = torch.nn.Transformer(32, 4, 1, 1, 64, dropout=0.0, batch_first=True)

    def forward(self, x):
        mask = torch.nn.Transformer.generate_square_subsequent_mask(x.shape[1], device=x.device)
        return self.both(x, x, tgt_mask=mask)


def test_a_transformer_with_a_mask_of_later_positions():
    module = Translation()
    weight = pl.weigh(module, (2, 8, 32))
    assert weight.params == sum(parameter.numel() for parameter in module.parameters())
    assert not weight.unknown_ops
    from torch.nn.modules import transformer
    assert transformer._detect_is_causal_mask(torch.zeros(4, 4)) is False  # as it was, and not assumed


class Heads(torch.nn.Module):
    """Queries as they are, or copied to lie head by head: the kernel's output then lies so too, and is copied back."""

    def __init__(self, copied):
        super().__init__()
        self.query, self.out, self.copied = torch.nn.Linear(64, 64), torch.nn.Linear(64, 64), copied

    def forward(self, x):
        query = self.query(x).view(*x.shape[:2], 4, 16).transpose(1, 2)
        if self.copied:
            query = query.contiguous()
        found = torch.nn.functional.scaled_dot_product_attention(query, query, query)
        return self.out(found.transpose(1, 2).reshape(x.shape))


def test_contiguous_queries_are_planned_as_pytorch_keeps_them():
    kept = [pl.fit(Heads(copied), (2, 8, 64), memory="8GiB", framework="pytorch", batch=2).kept_bytes
            for copied in (False, True)]
    assert kept[1] - kept[0] == 2 * 8 * 64 * 4


def test_exports_that_overlap_leave_torch_as_it_was():
    attention = torch.nn.functional.scaled_dot_product_attention
    begun = threading.Event()

    def export(seconds):
        with attention_ranks.four():
            begun.set()
            time.sleep(seconds)

    first, second = (threading.Thread(target=export, args=(seconds,)) for seconds in (0.1, 0.3))
    first.start()
    assert begun.wait(10)
    second.start()
    first.join()
    second.join()
    assert torch.nn.functional.scaled_dot_product_attention is attention


class Spare(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 8)
        self.scale = torch.nn.Parameter(torch.tensor(2.0))
        self.mask_token = torch.nn.Parameter(torch.zeros(1, 8))

    def forward(self, x):
        return self.head(x) * self.scale.exp()


def test_numbers_and_what_is_never_read_are_parameters():
    assert pl.weigh(Spare(), (1, 8)).params == 72 + 1 + 8
    assert pl.fit(Spare(), (1, 8), device="nvidia-t4", batch=4, brief=True).fits
