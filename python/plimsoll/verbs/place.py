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
    mode: Optional[Literal["train", "inference", "generate"]] = None,
    optimizer: Optional[str] = None,
    loss: Optional[Literal["automatic", "softmax-cross-entropy", "binary-cross-entropy", "mean-squared-error"]] =
        None,
    recompute: Optional[float] = None,
    micro_batches: Optional[int] = None,
    context: Optional[int] = None,
    concurrency: Optional[int] = None,
    prompt_tokens: Optional[int] = None,
    output_tokens: Optional[int] = None,
    weights: Optional[str] = None,
    kv: Optional[str] = None,
    workers: Optional[int] = None,
    tensor_parallel: Optional[int] = None,
    offload: Optional[str] = None,
    samples: Optional[int] = None,
    epochs: Optional[int] = None,
    price: Optional[float] = None,
    by: Optional[Literal["time", "money"]] = None,
    device: Optional[Union[Sequence[str], str]] = None,
    framework: Optional[Literal["plimsoll", "pytorch", "tensorflow", "hf", "vllm", "llama.cpp", "gpt-fast"]] = None,
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
    classes: outputs of a zoo network's last layer (default: the network's own)
    sequence: tokens of a sample, for networks of text [tokens] (default: the smaller of 2,048 and the network's own)
    dim: a named size that an .onnx file leaves open, e.g. sequence=128
    max_nodes: largest number of nodes that an .onnx file may have (default: 200,000)
    batch: samples a step on each device (default: the largest under its line, at most 256)
    mode: train, inference, or generate: a language model that is served (default: train)
    optimizer: sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa,
        lamb:nvidia, lars:paper, lars:exclude (default: momentum)
    loss: automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: by the output)
    recompute: drop activations and compute them again in the backward pass, up to this share of the forward pass
        (0.35 without a number)
    micro_batches: run a step in so many parts, whose gradients add up in the memory of one; batch is that of a part
        (default: 1)
    context: with mode generate: tokens of a sequence, prompt and answer together [tokens] (default: 4,096)
    concurrency: with mode generate: sequences that are served at the same time (default: 1)
    prompt_tokens: with mode generate: tokens that are read before the first is written [tokens] (default: fit: the
        whole context; place: 1,024)
    output_tokens: with mode generate: tokens that are written [tokens] (default: 256)
    weights: with mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, gptq-int8,
        int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, q5_0, q5_k_m, q6_k or q8_0
        (default: bf16)
    kv: with mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, q8_0 or q4_0 (default:
        bf16)
    workers: with mode generate: devices that share the network (default: those of the device)
    tensor_parallel: with mode generate: devices among which every matrix is cut (default: those of the device)
    offload: with mode generate: layers that the CPU keeps and computes, a number or 'all' (default: none)
    samples: samples of an epoch, or of the job in inference (default: 50,000)
    epochs: times that all samples are seen (default: 1)
    price: USD per hour, instead of the catalog's [USD per hour] (default: the catalog's)
    by: rank by time or by money (default: time)
    device: only this device; may be given several times; 'this' and paths of device files too (default: all of the
        catalog)
    framework: whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch
        on GPUs, else plimsoll)
    layout: how PyTorch keeps images in the memory of a GPU: nchw, or nhwc (channels last) (default: nchw)
    compile: PyTorch with torch.compile: chains of element-wise operations become one kernel
    torch: version of PyTorch, where it matters: 1.12, 2.4 … (default: 2.4)
    host_cpu: the CPU that drives the GPU, of the catalog: at small batches it sets the pace (default: one of the
        GPU's age)
    load_line: how far the memory may be filled (default: 0.8)
    sample_bytes: one sample's file on the disk, e.g. 110KB [bytes] (default: samples are in memory)
    decode_rate: images/s that one core decodes, augmentation included [images per second and core]
    host_cores: cores that load (default: those of the device's host)
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; 4xsata@1GB/s: four, through 1 GB/s
        (default: sata)
    loaders: loader workers (default: one for each host core)
    top: rows of the table (default: 20)
    accuracy: how far off predictions of step time have been, against measurements

    Returns Place; other forms of the question return Accuracy or PlaceServing. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "batch": batch, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute":
        recompute, "micro_batches": micro_batches, "context": context, "concurrency": concurrency, "prompt_tokens":
        prompt_tokens, "output_tokens": output_tokens, "weights": weights, "kv": kv, "workers": workers,
        "tensor_parallel": tensor_parallel, "offload": offload, "samples": samples, "epochs": epochs, "price": price,
        "by": by, "device": device, "framework": framework, "layout": layout, "compile": compile, "torch": torch,
        "host_cpu": host_cpu, "load_line": load_line, "sample_bytes": sample_bytes, "decode_rate": decode_rate,
        "host_cores": host_cores, "disk": disk, "loaders": loaders, "top": top, "accuracy": accuracy}
    return cast(Place, asking.ask("place", model, example, fields, unknown))
