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
    method: Optional[str] = None,
    checkpointing: Optional[Literal["none", "full", "selective"]] = None,
    logits: Optional[Literal["f32", "bf16", "chunked"]] = None,
    packing: Optional[bool] = None,
    shard: Optional[Literal["none", "zero1", "zero2", "zero3", "fsdp", "hsdp"]] = None,
    offload: Optional[str] = None,
    workers: Optional[int] = None,
    tensor_parallel: Optional[int] = None,
    pipeline: Optional[int] = None,
    context_parallel: Optional[int] = None,
    expert_parallel: Optional[int] = None,
    context: Optional[int] = None,
    concurrency: Optional[int] = None,
    prompt_tokens: Optional[int] = None,
    output_tokens: Optional[int] = None,
    weights: Optional[str] = None,
    kv: Optional[str] = None,
    device: Optional[str] = None,
    memory: Optional[Union[int, str]] = None,
    framework: Optional[Literal["plimsoll", "pytorch", "tensorflow", "hf", "vllm", "llama.cpp", "gpt-fast"]] = None,
    layout: Optional[Literal["nchw", "nhwc"]] = None,
    compile: Optional[bool] = None,
    torch: Optional[str] = None,
    attention: Optional[Literal["flash", "sdpa", "eager"]] = None,
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

    model: a network of the zoo (see models()), the path or the bytes of an .onnx file or a config.json, a torch
        module, a model or config of transformers, or what load() returned
    example: with a torch module: what it is called with, as tensors, shapes or a dict; a model of transformers whose
        family is known needs none
    dtype: number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16
        for language models (default: f32, or as the file has it)
    input: shape of one sample, e.g. 3x224x224 (default: the network's own)
    classes: number of classes of a zoo network; size of the vocabulary of a language model (default: the network's
        own)
    sequence: tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if
        that is shorter)
    dim: value for a named size that an .onnx file leaves open, e.g. sequence=128
    max_nodes: most nodes that an .onnx file may have (default: 200,000)
    batch: check this batch, in samples per step (default: find the largest under the line)
    mode: train, inference, or generate (a language model is served) (default: train)
    optimizer: sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa,
        lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam,
        adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
    loss: automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the
        network's output)
    recompute: drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if
        no number is given)
    micro_batches: split each step into this many parts and add up their gradients, in the memory of one part; batch
        is the batch of a part (default: 1)
    method: which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of a language
        model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS (q,k,v,o,gate,up,down or all) (default:
        full; targets q,v)
    checkpointing: recompute the activations of blocks: none, full, or selective (all but matrix products) (default:
        none)
    logits: how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)
    packing: pack several samples into each sequence; every attention kernel but flash needs a mask for it
    shard: what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and gradients), zero3,
        fsdp (all), hsdp (all, within a node) (default: none)
    offload: what the host keeps: in training none, optimizer, or all (parameters too); with mode generate the layers
        that the CPU keeps and computes, a number or all (default: none)
    workers: devices that share a language model, trained or served (default: those of the device)
    tensor_parallel: devices that each matrix is split across (default: 1 in training; those of the node in serving)
    pipeline: stages that the blocks are divided into (default: 1)
    context_parallel: devices that share every sequence (default: 1)
    expert_parallel: devices that the experts of a layer are divided over (default: 1)
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
    device: a device of the catalog ('plimsoll devices'), 'this', the path of a device file, or cuda:N or torch:cpu of
        this machine, whose kernels are tried
    memory: memory of the device, e.g. 8GiB (2^30, also 8G and 8) or 8GB (10^9) [bytes]
    framework: framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or
        gpt-fast (default: pytorch on GPUs, else plimsoll)
    layout: memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last) (default: nchw)
    compile: predict for torch.compile, which fuses chains of element-wise operations into one kernel
    torch: PyTorch version, where it matters: 1.12, 2.4 … (default: 2.4)
    attention: how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single
        operations) (default: sdpa, or eager where a file's network writes it out)
    load_line: share of the memory that may be filled (default: 0.8)
    threads: threads per step on this machine (default: one per core)
    conv: how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3
        kernels, more memory) or fft (faster for large kernels, more memory) (default: auto)
    residence: also show what lives where (disk, RAM, caches, device) and what moving it costs
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1
        GB/s (default: sata)
    sample_bytes: with residence: size of one sample's file, e.g. 110KB [bytes]
    brief: skip the suggestions (they take the longest)
    print_passes: print the step's program to stderr after each pass that changed it, with the pass's reason and time
    model_mb: without MODEL: size of the parameters, in MB (10^6 bytes) [10^6 bytes]
    sample_mb: without MODEL: size of one sample as the network reads it, in MB [10^6 bytes]
    activation_mb: without MODEL: activations and gradients of one sample, in MB [10^6 bytes]

    Returns Fit; other forms of the question return FitByArithmetic or FitServing or TokenFit. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "batch": batch, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute":
        recompute, "micro_batches": micro_batches, "method": method, "checkpointing": checkpointing, "logits": logits,
        "packing": packing, "shard": shard, "offload": offload, "workers": workers, "tensor_parallel":
        tensor_parallel, "pipeline": pipeline, "context_parallel": context_parallel, "expert_parallel":
        expert_parallel, "context": context, "concurrency": concurrency, "prompt_tokens": prompt_tokens,
        "output_tokens": output_tokens, "weights": weights, "kv": kv, "device": device, "memory": memory, "framework":
        framework, "layout": layout, "compile": compile, "torch": torch, "attention": attention, "load_line":
        load_line, "threads": threads, "conv": conv, "residence": residence, "disk": disk, "sample_bytes":
        sample_bytes, "brief": brief, "print_passes": print_passes, "model_mb": model_mb, "sample_mb": sample_mb,
        "activation_mb": activation_mb}
    return cast(Fit, asking.ask("fit", model, example, fields, unknown))
