"""The verb weigh."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, Sequence, Union, cast

from plimsoll import asking
from plimsoll.answers.weigh import Weight
from plimsoll.network import Example, ModelLike


def weigh(
    model: Optional[ModelLike] = None,
    example: Optional[Example] = None,
    *,
    batch: Optional[int] = None,
    dtype: Optional[str] = None,
    input: Optional[Union[Sequence[int], str]] = None,
    classes: Optional[int] = None,
    sequence: Optional[int] = None,
    dim: Optional[Union[Sequence[str], str]] = None,
    max_nodes: Optional[int] = None,
    mode: Optional[Literal["train", "inference", "generate"]] = None,
    optimizer: Optional[str] = None,
    sort: Optional[Literal["params", "macs", "flops", "activations", "naive", "moved", "intensity"]] = None,
    depth: Optional[int] = None,
    top: Optional[int] = None,
    units: Optional[int] = None,
    epochs: Optional[Union[Sequence[int], int]] = None,
    epoch_time: Optional[Union[Sequence[Union[float, str]], Union[float, str]]] = None,
    **unknown: NoReturn,
) -> Weight:
    """What a network weighs, layer by layer: parameters, operations, memory.

    model: a network of the zoo (see models()), the path or the bytes of an .onnx file or a config.json, a torch
        module, a model or config of transformers, or what load() returned; or a list of names
    example: with a torch module: what it is called with, as tensors, shapes or a dict; a model of transformers whose
        family is known needs none
    batch: samples per step (default: 1)
    dtype: number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16
        for language models (default: f32, or as the file has it)
    input: shape of one sample, e.g. 3x224x224 (default: the network's own)
    classes: number of classes of a zoo network; size of the vocabulary of a language model (default: the network's
        own)
    sequence: tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if
        that is shorter)
    dim: value for a named size that an .onnx file leaves open, e.g. sequence=128
    max_nodes: most nodes that an .onnx file may have (default: 200,000)
    mode: train or inference (default: train)
    optimizer: sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa,
        lamb:nvidia, lars:paper, lars:exclude (default: momentum)
    sort: sort layers, largest first, by params, macs, flops, activations, naive, moved or intensity
    depth: group layers whose names share this many leading parts
    top: rows to show
    units: add a column: rounds that this many equal units need for a layer's outputs
    epochs: with several networks: epochs for each, e.g. 10,100
    epoch_time: with epochs: time per epoch for each, e.g. 2.4h,90s [seconds]

    Returns Weight; other forms of the question return WeighComparison. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"batch": batch, "dtype": dtype, "input": input, "classes": classes, "sequence":
        sequence, "dim": dim, "max_nodes": max_nodes, "mode": mode, "optimizer": optimizer, "sort": sort, "depth":
        depth, "top": top, "units": units, "epochs": epochs, "epoch_time": epoch_time}
    return cast(Weight, asking.ask("weigh", model, example, fields, unknown))
