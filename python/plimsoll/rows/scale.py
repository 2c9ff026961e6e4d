"""The rows of a request to scale."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
    "model": {
        "kind": "string",
        "help": "a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face "
                "config.json (or its folder) or a .gguf",
    },
    "dtype": {
        "kind": "string",
        "help": "number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations) "
                "(default: f32, or as the file has it)",
    },
    "input": {
        "kind": "string",
        "help": "shape of one sample, e.g. 3x224x224 (default: the network's own)",
    },
    "classes": {
        "kind": "integer",
        "help": "outputs of a zoo network's last layer (default: the network's own)",
    },
    "sequence": {
        "kind": "integer",
        "help": "tokens of a sample, for networks of text [tokens] (default: the smaller of 2,048 and the "
                "network's own)",
    },
    "dim": {
        "kind": "list:string",
        "help": "a named size that an .onnx file leaves open, e.g. sequence=128",
    },
    "max_nodes": {
        "kind": "integer",
        "help": "largest number of nodes that an .onnx file may have (default: 200,000)",
    },
    "device": {
        "kind": "string",
        "help": "each worker, or a node of several: a name, 'this' or the path of a device file",
    },
    "workers": {
        "kind": "string",
        "help": "numbers of workers: 1,2,4,8 or 1..1024 for doublings",
    },
    "batch": {
        "kind": "integer",
        "help": "samples a step on each worker (default: what is done first where the critical batch is "
                "known, else the largest under the line, at most 256)",
    },
    "global_batch": {
        "kind": "integer",
        "help": "samples a step of all workers together",
    },
    "link": {
        "kind": "string",
        "help": "between workers, or between nodes with --per-node: pcie3, pcie4, pcie5, nvlink1, nvlink2, "
                "nvlink3, nvlink4, nvlink5, 1gbe, 10gbe, 25gbe, 40gbe, 100gbe, 200gbe, 400gbe, ib-fdr, "
                "ib-edr, ib-hdr, ib-ndr, or figures of your own as 25Gbit/s:30us (--links lists them) "
                "(default: the device's own)",
    },
    "per_node": {
        "kind": "integer",
        "help": "workers of one node, connected by --inside (default: as many as it has)",
    },
    "inside": {
        "kind": "string",
        "help": "between the workers of a node (default: the device's own link)",
    },
    "exchange": {
        "kind": "string",
        "help": "all-reduce (a process for each worker), or one-process (PyTorch's DataParallel, one host)",
    },
    "wire": {
        "kind": "string",
        "help": "format of gradients on their way: f32, bf16 or f16 (default: as computed)",
    },
    "bucket": {
        "kind": "string",
        "help": "gradients that are sent together [bytes] (default: the framework's, 25MiB)",
    },
    "samples": {
        "kind": "integer",
        "help": "samples of an epoch (default: 50,000)",
    },
    "epochs": {
        "kind": "integer",
        "help": "that reach the loss at the reference batch (default: 1)",
    },
    "price": {
        "kind": "number",
        "help": "USD per hour of the device as named, instead of the catalog's [USD per hour] (default: the"
                " catalog's)",
    },
    "reference_batch": {
        "kind": "integer",
        "help": "the batch at which --epochs reach the loss (default: one worker's batch)",
    },
    "critical_batch": {
        "kind": "string",
        "help": "where twice the samples and twice the steps of the least are needed; or a range, 800-1200",
    },
    "noise_scale": {
        "kind": "string",
        "help": "the gradient noise scale of a run, which stands for the critical batch, or the run's "
                "folder",
    },
    "lr": {
        "kind": "number",
        "help": "learning rate at the reference batch",
    },
    "scale_lr": {
        "kind": "string",
        "help": "how the learning rate grows with the batch: linear, sqrt or none (default: linear for SGD,"
                " sqrt for Adam and its kin)",
    },
    "deadline": {
        "kind": "string",
        "help": "recommend the cheapest that is done by then, e.g. 8h [seconds]",
    },
    "budget": {
        "kind": "number",
        "help": "recommend the fastest that costs no more [USD]",
    },
    "by": {
        "kind": "string",
        "help": "else recommend by knee (time \u00d7 money), time or money",
    },
    "mode": {
        "kind": "string",
        "help": "train, inference, or generate: a language model that is served",
    },
    "optimizer": {
        "kind": "string",
        "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)",
    },
    "loss": {
        "kind": "string",
        "help": "automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: by "
                "the output)",
    },
    "recompute": {
        "kind": "number",
        "help": "drop activations and compute them again in the backward pass, up to this share of the "
                "forward pass (0.35 without a number)",
    },
    "micro_batches": {
        "kind": "integer",
        "help": "run a step in so many parts, whose gradients add up in the memory of one; --batch is that "
                "of a part (default: 1)",
    },
    "framework": {
        "kind": "string",
        "help": "whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast "
                "(default: pytorch on GPUs, else plimsoll)",
    },
    "threads": {
        "kind": "integer",
        "help": "threads of a worker on a CPU (default: all)",
    },
    "load_line": {
        "kind": "number",
        "help": "how far the memory may be filled",
    },
    "sample_bytes": {
        "kind": "string",
        "help": "one sample's file on the disk, e.g. 110KB [bytes] (default: samples are in memory)",
    },
    "decode_rate": {
        "kind": "number",
        "help": "images/s that one core decodes, augmentation included [images per second and core]",
    },
    "host_cores": {
        "kind": "integer",
        "help": "cores that load (default: those of the device's host)",
    },
    "disk": {
        "kind": "string",
        "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; "
                "4xsata@1GB/s: four, through 1 GB/s (default: sata)",
    },
    "loaders": {
        "kind": "integer",
        "help": "loader workers (default: one for each host core)",
    },
    "jitter": {
        "kind": "number",
        "help": "a worker's computing varies by this share from step to step, e.g. 0.02: all wait for the "
                "slowest",
    },
    "shared_disk": {
        "kind": "boolean",
        "help": "one disk for all nodes, instead of one on each",
    },
    "accuracy": {
        "kind": "boolean",
        "help": "how far off predictions have been, against published measurements",
    },
    "links": {
        "kind": "boolean",
        "help": "list the links that are known, with their figures and sources",
    },
}
