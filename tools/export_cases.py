"""The networks that export_torchvision.py exports, and how: opset, batch, mode, folding."""
import dataclasses
import functools
from typing import Callable

import torch
from torchvision import models

import export_modules

# Swin v2 sets a part of its bias to zero, in place; this PyTorch has no ONNX for that.
torch.onnx.register_custom_op_symbolic("aten::zero", torch.onnx.symbolic_opset9.zeros_like, 9)


@dataclasses.dataclass
class Case:
    model: str
    build: Callable
    inputs: list                      # one tensor each
    opset: int
    dynamic: bool = True
    mode: str = "eval"                # eval merges batch norms into convolutions, kept does not, train trains
    fold: bool = True
    weights_as_inputs: bool = False
    batched: bool = True              # False: the network takes a list of images without a batch axis
    data_dependent: bool = False      # MACs depend on what is in the images
    changes: list = dataclasses.field(default_factory=list)  # (parameters the file has more, reason)
    notes: list = dataclasses.field(default_factory=list)

    @property
    def file(self):
        parts = [self.model, f"op{self.opset}", "dyn" if self.dynamic else "fix"]
        parts += [self.mode] * (self.mode != "eval") + ["raw"] * (not self.fold) + ["inputs"] * self.weights_as_inputs
        return "-".join(parts) + ".onnx"

    def args(self):
        return tuple(self.inputs) if self.batched else (self.inputs,)


def network(name, opset, size=224, batch=1, settings=None, **how):
    """A classification network of torchvision."""
    build = functools.partial(models.get_model, name, weights=None, **(settings or {}))
    return Case(name, build, [torch.rand(batch, 3, size, size)], opset, **how)


def gathered_biases(model):
    """Folding looks the relative position biases up: a bias per pair of positions instead of per distance."""
    blocks = [m for m in model.modules() if hasattr(m, "relative_position_bias_table")]
    return sum(m.relative_position_index.numel() * m.relative_position_bias_table.shape[1]
               - m.relative_position_bias_table.numel() for m in blocks)


def level_copies(model):
    """Folding reshapes the group norms' weights where they are used: once for each level of the pyramid."""
    norms = [m for m in model.modules() if isinstance(m, torch.nn.GroupNorm)]
    return (5 - 1) * sum(m.weight.numel() + m.bias.numel() for m in norms)


def coordinate_tables(model):
    """Swin v2's tables of coordinates are buffers, but go into a matrix product as weights do."""
    return sum(b.numel() for name, b in model.named_buffers() if name.endswith("relative_coords_table"))


def classification():
    tables = {"changes": [(coordinate_tables, "coordinate tables look like weights")]}
    gathered = {"changes": [(gathered_biases, "folding looks up the relative position biases")]}
    return [
        network("alexnet", 11),
        network("alexnet", 17, dynamic=False, weights_as_inputs=True),
        network("convnext_tiny", 12),
        network("convnext_tiny", 17, fold=False),
        network("densenet161", 13),
        network("densenet121", 11, size=64, mode="kept"),
        network("efficientnet_b0", 11),
        network("efficientnet_b0", 15, mode="kept", fold=False),
        network("efficientnet_v2_s", 16, size=128),
        network("googlenet", 14, settings={"aux_logits": False, "init_weights": False}),
        network("googlenet", 12, size=256, mode="train", fold=False, batch=2, settings={"init_weights": False}),
        network("inception_v3", 13, size=299, settings={"aux_logits": False, "init_weights": False}),
        network("inception_v3", 17, size=299, mode="train", fold=False, batch=2, settings={"init_weights": False}),
        network("maxvit_t", 14, **gathered),
        network("mnasnet1_0", 15),
        network("mobilenet_v2", 12, size=96, weights_as_inputs=True, fold=False),
        network("mobilenet_v2", 17, mode="kept", size=160),
        network("mobilenet_v3_small", 11),
        network("mobilenet_v3_large", 14, mode="kept"),
        network("regnet_y_400mf", 16),
        network("regnet_x_800mf", 12, dynamic=False),
        network("resnet18", 11, mode="train", fold=False, batch=2),
        network("resnet50", 17),
        network("resnet34", 13, dynamic=False, mode="kept"),
        network("resnext50_32x4d", 15),
        network("shufflenet_v2_x1_0", 11),
        network("shufflenet_v2_x1_0", 16, fold=False),
        network("squeezenet1_1", 13),
        network("swin_t", 12, **gathered),
        network("swin_t", 17, fold=False),
        network("swin_v2_t", 14, size=256, **tables),
        network("vgg11", 11),
        network("vgg16_bn", 16, dynamic=False),
        network("vit_b_32", 11),
        network("vit_b_32", 17, fold=False),
        network("vit_b_16", 13, dynamic=False),
        network("wide_resnet50_2", 14, size=96),
    ]


class OutputsOnly(torch.nn.Module):
    """Returns the tensors of a dictionary, which is all that ONNX has."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, *args):
        return tuple(self.inner(*args).values())


def segmentation_network(name, opset, size, aux, **how):
    build = lambda: OutputsOnly(models.get_model(name, weights=None, weights_backbone=None, **aux))
    return Case(name, build, [torch.rand(1, 3, size, size)], opset, **how)


def segmentation():
    return [
        segmentation_network("fcn_resnet50", 11, 128, {"aux_loss": False}),
        segmentation_network("fcn_resnet50", 16, 128, {"aux_loss": True}, mode="kept"),
        segmentation_network("deeplabv3_mobilenet_v3_large", 13, 128, {"aux_loss": False}),
        segmentation_network("deeplabv3_resnet50", 17, 128, {"aux_loss": False}, dynamic=False),
        segmentation_network("lraspp_mobilenet_v3_large", 12, 128, {}),
    ]


def backbone(name, opset, norm, size=128, **how):
    def build():
        from torchvision.models.detection import backbone_utils
        make = backbone_utils.mobilenet_backbone if "mobilenet" in name else backbone_utils.resnet_fpn_backbone
        settings = {"fpn": True} if "mobilenet" in name else {}
        made = make(backbone_name=name, weights=None, norm_layer=norm, trainable_layers=5, **settings)
        return OutputsOnly(made)

    return Case(f"{name}_fpn", build, [torch.rand(1, 3, size, size)], opset, **how)


def detector(name, opset, height, width, **how):
    # Sizes that keep the image as it is: the default enlarges it to 800, which takes minutes here.
    sizes = {} if "320" in name or "ssd" in name else {"min_size": height, "max_size": width}
    build = functools.partial(models.get_model, name, weights=None, weights_backbone=None, **sizes)
    return Case(name, build, [torch.rand(3, height, width)], opset, dynamic=False, batched=False, **how)


def detection():
    boxes = {"data_dependent": True, "notes": ["MACs of the box heads depend on the proposals"]}
    levels = {"changes": [(level_copies, "folding copies the group norms' weights for each level")]}
    return [
        backbone("resnet50", 11, torch.nn.BatchNorm2d),
        backbone("mobilenet_v3_large", 16, torch.nn.BatchNorm2d, mode="kept"),
        detector("fasterrcnn_mobilenet_v3_large_320_fpn", 11, 320, 320, **boxes),
        detector("fasterrcnn_resnet50_fpn", 16, 224, 320, **boxes),
        detector("fasterrcnn_resnet50_fpn_v2", 13, 224, 320, mode="kept", **boxes),
        detector("retinanet_resnet50_fpn", 12, 224, 320),
        detector("ssdlite320_mobilenet_v3_large", 13, 320, 320),
        detector("ssd300_vgg16", 11, 300, 300),
        detector("fcos_resnet50_fpn", 14, 224, 320, **levels),
        detector("maskrcnn_resnet50_fpn", 11, 224, 320, **boxes),
        detector("maskrcnn_resnet50_fpn_v2", 17, 224, 320, **boxes),
        detector("keypointrcnn_resnet50_fpn", 11, 224, 320, **boxes),
    ]


def clip(name, opset, frames=8, size=64, **how):
    build = functools.partial(models.get_model, name, weights=None)
    return Case(name, build, [torch.rand(1, 3, frames, size, size)], opset, **how)


def video():
    return [
        clip("r3d_18", 11),
        clip("r3d_18", 17, mode="kept"),
        clip("mc3_18", 13),
        clip("r2plus1d_18", 15, dynamic=False),
        clip("s3d", 16, frames=16, size=224),
        clip("mvit_v1_b", 14, frames=16, size=224),
        clip("mvit_v2_s", 17, frames=16, size=224, dynamic=False),
    ]


def flow():
    frame = lambda: torch.rand(1, 3, 128, 128)
    build = functools.partial(models.get_model, "raft_small", weights=None)
    return [Case("raft_small", build, [frame(), frame()], 16, dynamic=False)]


def small_modules():
    return [Case(name, build, inputs, opset, **how) for name, build, inputs, opset, how in export_modules.all_modules()]


def all_cases():
    return classification() + segmentation() + detection() + video() + flow() + small_modules()
