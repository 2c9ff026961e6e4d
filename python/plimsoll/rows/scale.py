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
        "help": "number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); "
                "fp8 and amp-bf16 for language models (default: f32, or as the file has it)",
    },
    "input": {
        "kind": "string",
        "help": "shape of one sample, e.g. 3x224x224 (default: the network's own)",
    },
    "classes": {
        "kind": "integer",
        "help": "number of classes of a zoo network; size of the vocabulary of a language model (default: "
                "the network's own)",
    },
    "sequence": {
        "kind": "integer",
        "help": "tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's "
                "longest if that is shorter)",
    },
    "dim": {
        "kind": "list:string",
        "help": "value for a named size that an .onnx file leaves open, e.g. sequence=128",
    },
    "max_nodes": {
        "kind": "integer",
        "help": "most nodes that an .onnx file may have (default: 200,000)",
    },
    "device": {
        "kind": "string",
        "help": "device of each worker, or a node of several: a name, 'this' or the path of a device file",
    },
    "workers": {
        "kind": "string",
        "help": "numbers of workers: 1,2,4,8, or 1..1024 to double each time",
    },
    "batch": {
        "kind": "integer",
        "help": "samples per step on each worker (default: the one that finishes first where the critical "
                "batch is known, else the largest under the line, at most 256)",
    },
    "global_batch": {
        "kind": "integer",
        "help": "samples per step of all workers together",
    },
    "link": {
        "kind": "string",
        "help": "link between workers, or between nodes with per_node: pcie3, pcie4, pcie5, nvlink1, "
                "nvlink2, nvlink3, nvlink4, nvlink5, 1gbe, 10gbe, 25gbe, 40gbe, 100gbe, 200gbe, 400gbe, "
                "ib-fdr, ib-edr, ib-hdr, ib-ndr, or your own figures as 25Gbit/s:30us (links lists them) "
                "(default: the device's own)",
    },
    "per_node": {
        "kind": "integer",
        "help": "workers per node, connected by inside (default: as many as it has)",
    },
    "inside": {
        "kind": "string",
        "help": "link between the workers of a node (default: the device's own link)",
    },
    "exchange": {
        "kind": "string",
        "help": "all-reduce (one process per worker) or one-process (PyTorch's DataParallel, one host)",
    },
    "wire": {
        "kind": "string",
        "help": "number format in which gradients are sent: f32, bf16 or f16 (default: as computed)",
    },
    "bucket": {
        "kind": "string",
        "help": "size of the buckets in which gradients are sent [bytes] (default: the framework's, 25MiB)",
    },
    "samples": {
        "kind": "integer",
        "help": "samples per epoch (default: 50,000)",
    },
    "epochs": {
        "kind": "integer",
        "help": "epochs that reach the loss at the reference batch (default: 1)",
    },
    "tokens": {
        "kind": "number",
        "help": "tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples \u00d7 epochs \u00d7"
                " sequence)",
    },
    "price": {
        "kind": "number",
        "help": "price of the named device in USD per hour [USD per hour] (default: the catalog's)",
    },
    "reference_batch": {
        "kind": "integer",
        "help": "batch at which epochs reach the loss (default: one worker's batch)",
    },
    "critical_batch": {
        "kind": "string",
        "help": "batch at which training needs twice the minimum of both steps and samples; or a range, "
                "800-1200",
    },
    "noise_scale": {
        "kind": "string",
        "help": "gradient noise scale of a run, or the run's folder; used as the critical batch",
    },
    "lr": {
        "kind": "number",
        "help": "learning rate at the reference batch",
    },
    "scale_lr": {
        "kind": "string",
        "help": "how the learning rate grows with the batch: linear, sqrt or none (default: linear for SGD,"
                " sqrt for Adam and its variants)",
    },
    "deadline": {
        "kind": "string",
        "help": "recommend the cheapest setup that finishes in this time, e.g. 8h [seconds]",
    },
    "budget": {
        "kind": "number",
        "help": "recommend the fastest setup that costs no more than this [USD]",
    },
    "by": {
        "kind": "string",
        "help": "without a deadline or budget: recommend by knee (time \u00d7 money), time or money",
    },
    "mode": {
        "kind": "string",
        "help": "train, inference, or generate (a language model is served)",
    },
    "optimizer": {
        "kind": "string",
        "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw "
                "is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, "
                "lion8bit, muon, momentum or sgd (default: momentum)",
    },
    "loss": {
        "kind": "string",
        "help": "automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: "
                "chosen by the network's output)",
    },
    "recompute": {
        "kind": "number",
        "help": "drop activations and recompute them in the backward pass, up to this share of the forward "
                "pass (0.35 if no number is given)",
    },
    "micro_batches": {
        "kind": "integer",
        "help": "split each step into this many parts and add up their gradients, in the memory of one "
                "part; batch is the batch of a part (default: 1)",
    },
    "method": {
        "kind": "string",
        "help": "which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and "
                "commas); of a language model also lora:R, qlora:R (4-bit weights), dora:R, each with "
                ":TARGETS (q,k,v,o,gate,up,down or all) (default: full; targets q,v)",
    },
    "checkpointing": {
        "kind": "string",
        "help": "recompute the activations of blocks: none, full, or selective (all but matrix products) "
                "(default: none)",
    },
    "logits": {
        "kind": "string",
        "help": "how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)",
    },
    "packing": {
        "kind": "boolean",
        "help": "pack several samples into each sequence; every attention kernel but flash needs a mask for"
                " it",
    },
    "shard": {
        "kind": "string",
        "help": "what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and "
                "gradients), zero3, fsdp (all), hsdp (all, within a node) (default: none)",
    },
    "offload": {
        "kind": "string",
        "help": "what the host keeps: in training none, optimizer, or all (parameters too); with mode "
                "generate the layers that the CPU keeps and computes, a number or all (default: none)",
    },
    "tensor_parallel": {
        "kind": "integer",
        "help": "devices that each matrix is split across (default: 1 in training; those of the node in "
                "serving)",
    },
    "pipeline": {
        "kind": "integer",
        "help": "stages that the blocks are divided into (default: 1)",
    },
    "context_parallel": {
        "kind": "integer",
        "help": "devices that share every sequence (default: 1)",
    },
    "expert_parallel": {
        "kind": "integer",
        "help": "devices that the experts of a layer are divided over (default: 1)",
    },
    "attention": {
        "kind": "string",
        "help": "how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or "
                "eager (single operations) (default: sdpa, or eager where a file's network writes it out)",
    },
    "search": {
        "kind": "boolean",
        "help": "for a language model: search for the best division of the devices, sharding and "
                "recomputation",
    },
    "framework": {
        "kind": "string",
        "help": "framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, "
                "llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)",
    },
    "threads": {
        "kind": "integer",
        "help": "threads per worker on a CPU (default: all)",
    },
    "load_line": {
        "kind": "number",
        "help": "share of the memory that may be filled",
    },
    "sample_bytes": {
        "kind": "string",
        "help": "size of one sample's file on disk, e.g. 110KB [bytes] (default: samples are in memory)",
    },
    "decode_rate": {
        "kind": "number",
        "help": "images/s that one core decodes and augments [images per second and core] (default: 11 MB/s"
                " of files, where a sample's size is given)",
    },
    "host_cores": {
        "kind": "integer",
        "help": "CPU cores for loading (default: those of the device's host)",
    },
    "disk": {
        "kind": "string",
        "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; "
                "4xsata@1GB/s: four behind a link of 1 GB/s (default: sata)",
    },
    "loaders": {
        "kind": "integer",
        "help": "loader workers (default: one per host core)",
    },
    "jitter": {
        "kind": "number",
        "help": "share by which a worker's compute time varies from step to step, e.g. 0.02; all wait for "
                "the slowest",
    },
    "shared_disk": {
        "kind": "boolean",
        "help": "all nodes share one disk, instead of one each",
    },
    "accuracy": {
        "kind": "boolean",
        "help": "show how far predictions have been from published measurements",
    },
    "links": {
        "kind": "boolean",
        "help": "list the known links, with their figures and sources",
    },
}
