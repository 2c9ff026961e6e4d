"""The verb scale."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, Sequence, Union, cast

from plimsoll import asking
from plimsoll.answers.scale import Scale
from plimsoll.network import Example, ModelLike


def scale(
    model: Optional[ModelLike] = None,
    example: Optional[Example] = None,
    *,
    dtype: Optional[str] = None,
    input: Optional[Union[Sequence[int], str]] = None,
    classes: Optional[int] = None,
    sequence: Optional[int] = None,
    dim: Optional[Union[Sequence[str], str]] = None,
    max_nodes: Optional[int] = None,
    device: Optional[str] = None,
    workers: Optional[Union[Sequence[int], int, str]] = None,
    batch: Optional[int] = None,
    global_batch: Optional[int] = None,
    link: Optional[str] = None,
    per_node: Optional[int] = None,
    inside: Optional[str] = None,
    exchange: Optional[Literal["all-reduce", "one-process"]] = None,
    wire: Optional[Literal["f32", "bf16", "f16"]] = None,
    bucket: Optional[Union[int, str]] = None,
    samples: Optional[int] = None,
    epochs: Optional[int] = None,
    tokens: Optional[float] = None,
    price: Optional[float] = None,
    reference_batch: Optional[int] = None,
    critical_batch: Optional[Union[float, str]] = None,
    noise_scale: Optional[str] = None,
    lr: Optional[float] = None,
    scale_lr: Optional[Literal["linear", "sqrt", "none"]] = None,
    deadline: Optional[Union[float, str]] = None,
    budget: Optional[float] = None,
    by: Optional[Literal["knee", "time", "money"]] = None,
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
    tensor_parallel: Optional[int] = None,
    pipeline: Optional[int] = None,
    context_parallel: Optional[int] = None,
    expert_parallel: Optional[int] = None,
    attention: Optional[Literal["flash", "sdpa", "eager"]] = None,
    search: Optional[bool] = None,
    framework: Optional[Literal["plimsoll", "pytorch", "tensorflow", "hf", "vllm", "llama.cpp", "gpt-fast"]] = None,
    threads: Optional[int] = None,
    load_line: Optional[float] = None,
    sample_bytes: Optional[Union[int, str]] = None,
    decode_rate: Optional[float] = None,
    host_cores: Optional[int] = None,
    disk: Optional[str] = None,
    loaders: Optional[int] = None,
    jitter: Optional[float] = None,
    shared_disk: Optional[bool] = None,
    accuracy: Optional[bool] = None,
    links: Optional[bool] = None,
    **unknown: NoReturn,
) -> Scale:
    """How far training scales over many devices, and until where it pays.

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
    device: device of each worker, or a node of several: a name, 'this' or the path of a device file
    workers: numbers of workers: 1,2,4,8, or 1..1024 to double each time (default: [1, 2, 4, 8])
    batch: samples per step on each worker (default: the one that finishes first where the critical batch is known,
        else the largest under the line, at most 256)
    global_batch: samples per step of all workers together
    link: link between workers, or between nodes with per_node: pcie3, pcie4, pcie5, nvlink1, nvlink2, nvlink3,
        nvlink4, nvlink5, 1gbe, 10gbe, 25gbe, 40gbe, 100gbe, 200gbe, 400gbe, ib-fdr, ib-edr, ib-hdr, ib-ndr, or your
        own figures as 25Gbit/s:30us (links lists them) (default: the device's own)
    per_node: workers per node, connected by inside (default: as many as it has)
    inside: link between the workers of a node (default: the device's own link)
    exchange: all-reduce (one process per worker) or one-process (PyTorch's DataParallel, one host) (default:
        all-reduce)
    wire: number format in which gradients are sent: f32, bf16 or f16 (default: as computed)
    bucket: size of the buckets in which gradients are sent [bytes] (default: the framework's, 25MiB)
    samples: samples per epoch (default: 50,000)
    epochs: epochs that reach the loss at the reference batch (default: 1)
    tokens: tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples × epochs × sequence)
    price: price of the named device in USD per hour [USD per hour] (default: the catalog's)
    reference_batch: batch at which epochs reach the loss (default: one worker's batch)
    critical_batch: batch at which training needs twice the minimum of both steps and samples; or a range, 800-1200
    noise_scale: gradient noise scale of a run, or the run's folder; used as the critical batch
    lr: learning rate at the reference batch
    scale_lr: how the learning rate grows with the batch: linear, sqrt or none (default: linear for SGD, sqrt for Adam
        and its variants)
    deadline: recommend the cheapest setup that finishes in this time, e.g. 8h [seconds]
    budget: recommend the fastest setup that costs no more than this [USD]
    by: without a deadline or budget: recommend by knee (time × money), time or money (default: knee)
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
    tensor_parallel: devices that each matrix is split across (default: 1 in training; those of the node in serving)
    pipeline: stages that the blocks are divided into (default: 1)
    context_parallel: devices that share every sequence (default: 1)
    expert_parallel: devices that the experts of a layer are divided over (default: 1)
    attention: how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single
        operations) (default: sdpa, or eager where a file's network writes it out)
    search: for a language model: search for the best division of the devices, sharding and recomputation
    framework: framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or
        gpt-fast (default: pytorch on GPUs, else plimsoll)
    threads: threads per worker on a CPU (default: all)
    load_line: share of the memory that may be filled (default: 0.8)
    sample_bytes: size of one sample's file on disk, e.g. 110KB [bytes] (default: samples are in memory)
    decode_rate: images/s that one core decodes and augments [images per second and core] (default: 11 MB/s of files,
        where a sample's size is given)
    host_cores: CPU cores for loading (default: those of the device's host)
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1
        GB/s (default: sata)
    loaders: loader workers (default: one per host core)
    jitter: share by which a worker's compute time varies from step to step, e.g. 0.02; all wait for the slowest
    shared_disk: all nodes share one disk, instead of one each
    accuracy: show how far predictions have been from published measurements
    links: list the known links, with their figures and sources

    Returns Scale; other forms of the question return Accuracy or Links or TokenScale. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "device": device, "workers": workers, "batch": batch, "global_batch": global_batch,
        "link": link, "per_node": per_node, "inside": inside, "exchange": exchange, "wire": wire, "bucket": bucket,
        "samples": samples, "epochs": epochs, "tokens": tokens, "price": price, "reference_batch": reference_batch,
        "critical_batch": critical_batch, "noise_scale": noise_scale, "lr": lr, "scale_lr": scale_lr, "deadline":
        deadline, "budget": budget, "by": by, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute":
        recompute, "micro_batches": micro_batches, "method": method, "checkpointing": checkpointing, "logits": logits,
        "packing": packing, "shard": shard, "offload": offload, "tensor_parallel": tensor_parallel, "pipeline":
        pipeline, "context_parallel": context_parallel, "expert_parallel": expert_parallel, "attention": attention,
        "search": search, "framework": framework, "threads": threads, "load_line": load_line, "sample_bytes":
        sample_bytes, "decode_rate": decode_rate, "host_cores": host_cores, "disk": disk, "loaders": loaders,
        "jitter": jitter, "shared_disk": shared_disk, "accuracy": accuracy, "links": links}
    return cast(Scale, asking.ask("scale", model, example, fields, unknown))
