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
    device: each worker, or a node of several: a name, 'this' or the path of a device file
    workers: numbers of workers: 1,2,4,8 or 1..1024 for doublings (default: [1, 2, 4, 8])
    batch: samples a step on each worker (default: what is done first where the critical batch is known, else the
        largest under the line, at most 256)
    global_batch: samples a step of all workers together
    link: between workers, or between nodes with per-node: pcie3, pcie4, pcie5, nvlink1, nvlink2, nvlink3, nvlink4,
        nvlink5, 1gbe, 10gbe, 25gbe, 40gbe, 100gbe, 200gbe, 400gbe, ib-fdr, ib-edr, ib-hdr, ib-ndr, or figures of your
        own as 25Gbit/s:30us (links lists them) (default: the device's own)
    per_node: workers of one node, connected by inside (default: as many as it has)
    inside: between the workers of a node (default: the device's own link)
    exchange: all-reduce (a process for each worker), or one-process (PyTorch's DataParallel, one host) (default:
        all-reduce)
    wire: format of gradients on their way: f32, bf16 or f16 (default: as computed)
    bucket: gradients that are sent together [bytes] (default: the framework's, 25MiB)
    samples: samples of an epoch (default: 50,000)
    epochs: that reach the loss at the reference batch (default: 1)
    price: USD per hour of the device as named, instead of the catalog's [USD per hour] (default: the catalog's)
    reference_batch: the batch at which epochs reach the loss (default: one worker's batch)
    critical_batch: where twice the samples and twice the steps of the least are needed; or a range, 800-1200
    noise_scale: the gradient noise scale of a run, which stands for the critical batch, or the run's folder
    lr: learning rate at the reference batch
    scale_lr: how the learning rate grows with the batch: linear, sqrt or none (default: linear for SGD, sqrt for Adam
        and its kin)
    deadline: recommend the cheapest that is done by then, e.g. 8h [seconds]
    budget: recommend the fastest that costs no more [USD]
    by: else recommend by knee (time × money), time or money (default: knee)
    mode: train, inference, or generate: a language model that is served (default: train)
    optimizer: sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa,
        lamb:nvidia, lars:paper, lars:exclude (default: momentum)
    loss: automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: by the output)
    recompute: drop activations and compute them again in the backward pass, up to this share of the forward pass
        (0.35 without a number)
    micro_batches: run a step in so many parts, whose gradients add up in the memory of one; batch is that of a part
        (default: 1)
    framework: whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch
        on GPUs, else plimsoll)
    threads: threads of a worker on a CPU (default: all)
    load_line: how far the memory may be filled (default: 0.8)
    sample_bytes: one sample's file on the disk, e.g. 110KB [bytes] (default: samples are in memory)
    decode_rate: images/s that one core decodes, augmentation included [images per second and core]
    host_cores: cores that load (default: those of the device's host)
    disk: where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s),
        network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; 4xsata@1GB/s: four, through 1 GB/s
        (default: sata)
    loaders: loader workers (default: one for each host core)
    jitter: a worker's computing varies by this share from step to step, e.g. 0.02: all wait for the slowest
    shared_disk: one disk for all nodes, instead of one on each
    accuracy: how far off predictions have been, against published measurements
    links: list the links that are known, with their figures and sources

    Returns Scale; other forms of the question return Accuracy or Links. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"dtype": dtype, "input": input, "classes": classes, "sequence": sequence, "dim": dim,
        "max_nodes": max_nodes, "device": device, "workers": workers, "batch": batch, "global_batch": global_batch,
        "link": link, "per_node": per_node, "inside": inside, "exchange": exchange, "wire": wire, "bucket": bucket,
        "samples": samples, "epochs": epochs, "price": price, "reference_batch": reference_batch, "critical_batch":
        critical_batch, "noise_scale": noise_scale, "lr": lr, "scale_lr": scale_lr, "deadline": deadline, "budget":
        budget, "by": by, "mode": mode, "optimizer": optimizer, "loss": loss, "recompute": recompute, "micro_batches":
        micro_batches, "framework": framework, "threads": threads, "load_line": load_line, "sample_bytes":
        sample_bytes, "decode_rate": decode_rate, "host_cores": host_cores, "disk": disk, "loaders": loaders,
        "jitter": jitter, "shared_disk": shared_disk, "accuracy": accuracy, "links": links}
    return cast(Scale, asking.ask("scale", model, example, fields, unknown))
