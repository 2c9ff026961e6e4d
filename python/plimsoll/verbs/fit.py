"""The verb fit."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, Sequence, Union, cast

from plimsoll import asking
from plimsoll.answers.fit import Fit
from plimsoll.network import Example, ModelLike


def fit(
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
    device: Optional[str] = None,
    memory: Optional[Union[int, str]] = None,
    framework: Optional[Literal["plimsoll", "pytorch", "tensorflow", "hf", "vllm", "llama.cpp", "gpt-fast"]] = None,
    layout: Optional[Literal["nchw", "nhwc"]] = None,
    compile: Optional[bool] = None,
    torch: Optional[str] = None,
    load_line: Optional[float] = None,
    threads: Optional[int] = None,
    conv: Optional[Literal["auto", "direct", "winograd", "fft"]] = None,
    residence: Optional[bool] = None,
    disk: Optional[str] = None,
    sample_bytes: Optional[Union[int, str]] = None,
    brief: Optional[bool] = None,
    print_passes: Optional[bool] = None,
    model_mb: Optional[float] = None,
    sample_mb: Optional[float] = None,
    activation_mb: Optional[float] = None,
    **unknown: NoReturn,
) -> Fit:
    """The largest batch under a device's load line, or whether one batch is under it.

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
    batch: is this batch under the line? (default: the largest that is)
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
    device: a device of the catalog ('plimsoll devices'), 'this', or the path of a device file
    memory: how much memory there is, e.g. 8GiB (2^30) or 8GB (10^9) [bytes]
    framework: whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch
        on GPUs, else plimsoll)
    layout: how PyTorch keeps images in the memory of a GPU: nchw, or nhwc (channels last) (default: nchw)
    compile: PyTorch with torch.compile: chains of element-wise operations become one kernel
    torch: version of PyTorch, where it matters: 1.12, 2.4 … (default: 2.4)
    load_line: how far the memory may be filled (default: 0.8)
    threads: threads of a step on this machine (default: its cores)
    conv: how convolutions are computed here: auto (the fastest for each layer), direct, winograd (3x3 kernels faster,
        more memory) or fft (large kernels faster, more memory) (default: auto)
    residence: also what is where (disk, RAM, caches, device) and what moves cost
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; 4xsata@1GB/s: four, through 1 GB/s
        (default: sata)
    sample_bytes: with residence: one sample's file, e.g. 110KB [bytes]
    brief: skip the suggestions of what would carry more (they take the longest)
    print_passes: print the step's program after each pass that changed it, with the pass's reason and time, to stderr
    model_mb: without MODEL: the parameters, in MB (10^6 bytes) [10^6 bytes]
    sample_mb: without MODEL: one sample as the network reads it, in MB [10^6 bytes]
    activation_mb: without MODEL: activations and gradients of one sample, in MB [10^6 bytes]

    Returns Fit; other forms of the question return FitByArithmetic or FitServing. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "batch": batch, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute":
        recompute, "micro_batches": micro_batches, "context": context, "concurrency": concurrency, "prompt_tokens":
        prompt_tokens, "output_tokens": output_tokens, "weights": weights, "kv": kv, "workers": workers,
        "tensor_parallel": tensor_parallel, "offload": offload, "device": device, "memory": memory, "framework":
        framework, "layout": layout, "compile": compile, "torch": torch, "load_line": load_line, "threads": threads,
        "conv": conv, "residence": residence, "disk": disk, "sample_bytes": sample_bytes, "brief": brief,
        "print_passes": print_passes, "model_mb": model_mb, "sample_mb": sample_mb, "activation_mb": activation_mb}
    return cast(Fit, asking.ask("fit", model, example, fields, unknown))
