"""The verb place."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, Sequence, Union, cast

from plimsoll import asking
from plimsoll.answers.place import Place
from plimsoll.network import Example, ModelLike


def place(
    model: Optional[ModelLike] = None,
    example: Optional[Example] = None,
    *,
    dtype: Optional[str] = None,
    input: Optional[Union[Sequence[int], str]] = None,
    classes: Optional[int] = None,
    sequence: Optional[int] = None,
    dim: Optional[Union[Sequence[str], str]] = None,
    max_nodes: Optional[int] = None,
    batch: Optional[int] = None,
    mode: Optional[Literal["train", "inference"]] = None,
    optimizer: Optional[str] = None,
    loss: Optional[Literal["automatic", "softmax-cross-entropy", "binary-cross-entropy", "mean-squared-error"]] =
        None,
    recompute: Optional[float] = None,
    micro_batches: Optional[int] = None,
    samples: Optional[int] = None,
    epochs: Optional[int] = None,
    price: Optional[float] = None,
    by: Optional[Literal["time", "money"]] = None,
    device: Optional[Union[Sequence[str], str]] = None,
    framework: Optional[Literal["plimsoll", "pytorch", "tensorflow"]] = None,
    layout: Optional[Literal["nchw", "nhwc"]] = None,
    compile: Optional[bool] = None,
    torch: Optional[str] = None,
    host_cpu: Optional[str] = None,
    load_line: Optional[float] = None,
    sample_bytes: Optional[Union[int, str]] = None,
    decode_rate: Optional[float] = None,
    host_cores: Optional[int] = None,
    disk: Optional[str] = None,
    loaders: Optional[int] = None,
    top: Optional[int] = None,
    accuracy: Optional[bool] = None,
    **unknown: NoReturn,
) -> Place:
    """Which device to take: all ranked by time or money, and a verdict with its reasons.

    model: a network of the zoo (see models()), the path or the bytes of an .onnx file, a torch module, or what load()
        returned
    example: with a torch module: what it is called with, as tensors, shapes or a dict
    dtype: number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations) (default: f32, or
        as the file has it)
    input: shape of one sample, e.g. 3x224x224 (default: the network's own)
    classes: number of classes of a zoo network (default: the network's own)
    sequence: tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if
        that is shorter)
    dim: value for a named size that an .onnx file leaves open, e.g. sequence=128
    max_nodes: most nodes that an .onnx file may have (default: 200,000)
    batch: samples per step on each device (default: the largest under the device's line, at most 256)
    mode: train or inference (default: train)
    optimizer: sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa,
        lamb:nvidia, lars:paper, lars:exclude (default: momentum)
    loss: automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the
        network's output)
    recompute: drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if
        no number is given)
    micro_batches: split each step into this many parts and add up their gradients, in the memory of one part; batch
        is the batch of a part (default: 1)
    samples: samples per epoch; for inference, samples in all (default: 50,000)
    epochs: number of passes over the samples (default: 1)
    price: price in USD per hour, instead of the catalog's [USD per hour] (default: the catalog's)
    by: rank by time or by money (default: time)
    device: consider only this device: a name, 'this' or the path of a device file; may be repeated (default: the
        whole catalog)
    framework: framework whose memory and time are predicted: plimsoll, pytorch or tensorflow (default: pytorch on
        GPUs, else plimsoll)
    layout: memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last) (default: nchw)
    compile: predict for torch.compile, which fuses chains of element-wise operations into one kernel
    torch: PyTorch version, where it matters: 1.12, 2.4 … (default: 2.4)
    host_cpu: CPU of the catalog that drives the GPU; it sets the pace at small batches (default: a CPU of the GPU's
        time)
    load_line: share of the memory that may be filled (default: 0.8)
    sample_bytes: size of one sample's file on disk, e.g. 110KB [bytes] (default: samples are in memory)
    decode_rate: images/s that one core decodes and augments [images per second and core]
    host_cores: CPU cores for loading (default: those of the device's host)
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; 4xsata@1GB/s: four, through 1 GB/s
        (default: sata)
    loaders: loader workers (default: one per host core)
    top: rows to show (default: 20)
    accuracy: show how far predicted step times have been from measured ones

    Returns Place; other forms of the question return Accuracy. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "batch": batch, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute":
        recompute, "micro_batches": micro_batches, "samples": samples, "epochs": epochs, "price": price, "by": by,
        "device": device, "framework": framework, "layout": layout, "compile": compile, "torch": torch, "host_cpu":
        host_cpu, "load_line": load_line, "sample_bytes": sample_bytes, "decode_rate": decode_rate, "host_cores":
        host_cores, "disk": disk, "loaders": loaders, "top": top, "accuracy": accuracy}
    return cast(Place, asking.ask("place", model, example, fields, unknown))
