"""The rows of requests: of each verb its fields, how they are read and what they mean."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "weigh": {
        "model": {
            "kind": "list:string",
            "help": "networks of the zoo ('plimsoll models') or paths of model files",
        },
        "batch": {
            "kind": "integer",
            "help": "samples per step (default: 1)",
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
            "help": "number of classes of a zoo network (default: the network's own)",
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
        "mode": {
            "kind": "string",
            "help": "train or inference",
        },
        "optimizer": {
            "kind": "string",
            "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                    "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude",
        },
        "sort": {
            "kind": "string",
            "help": "sort layers, largest first, by params, macs, flops, activations, naive, moved or intensity",
        },
        "depth": {
            "kind": "integer",
            "help": "group layers whose names share this many leading parts",
        },
        "top": {
            "kind": "integer",
            "help": "rows to show",
        },
        "units": {
            "kind": "integer",
            "help": "add a column: rounds that this many equal units need for a layer's outputs",
        },
        "epochs": {
            "kind": "list:integer",
            "help": "with several networks: epochs for each, e.g. 10,100",
        },
        "epoch_time": {
            "kind": "list:string",
            "help": "with epochs: time per epoch for each, e.g. 2.4h,90s [seconds]",
        },
    },
    "fit": {
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
            "help": "number of classes of a zoo network (default: the network's own)",
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
        "batch": {
            "kind": "integer",
            "help": "check this batch, in samples per step (default: find the largest under the line)",
        },
        "mode": {
            "kind": "string",
            "help": "train or inference",
        },
        "optimizer": {
            "kind": "string",
            "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                    "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)",
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
        "device": {
            "kind": "string",
            "help": "a device of the catalog ('plimsoll devices'), 'this', or the path of a device file",
        },
        "memory": {
            "kind": "string",
            "help": "memory of the device, e.g. 8GiB (2^30) or 8GB (10^9) [bytes]",
        },
        "framework": {
            "kind": "string",
            "help": "framework whose memory and time are predicted: plimsoll, pytorch or tensorflow (default: "
                    "pytorch on GPUs, else plimsoll)",
        },
        "layout": {
            "kind": "string",
            "help": "memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)",
        },
        "compile": {
            "kind": "boolean",
            "help": "predict for torch.compile, which fuses chains of element-wise operations into one kernel",
        },
        "torch": {
            "kind": "string",
            "help": "PyTorch version, where it matters: 1.12, 2.4 \u2026",
        },
        "load_line": {
            "kind": "number",
            "help": "share of the memory that may be filled",
        },
        "threads": {
            "kind": "integer",
            "help": "threads per step on this machine (default: one per core)",
        },
        "conv": {
            "kind": "string",
            "help": "how to compute convolutions here: auto (the fastest for each layer), direct, winograd "
                    "(faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory)",
        },
        "residence": {
            "kind": "boolean",
            "help": "also show what lives where (disk, RAM, caches, device) and what moving it costs",
        },
        "disk": {
            "kind": "string",
            "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                    " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; "
                    "4xsata@1GB/s: four, through 1 GB/s (default: sata)",
        },
        "sample_bytes": {
            "kind": "string",
            "help": "with residence: size of one sample's file, e.g. 110KB [bytes]",
        },
        "brief": {
            "kind": "boolean",
            "help": "skip the suggestions (they take the longest)",
        },
        "print_passes": {
            "kind": "boolean",
            "help": "print the step's program to stderr after each pass that changed it, with the pass's reason"
                    " and time",
        },
        "model_mb": {
            "kind": "number",
            "help": "without MODEL: size of the parameters, in MB (10^6 bytes) [10^6 bytes]",
        },
        "sample_mb": {
            "kind": "number",
            "help": "without MODEL: size of one sample as the network reads it, in MB [10^6 bytes]",
        },
        "activation_mb": {
            "kind": "number",
            "help": "without MODEL: activations and gradients of one sample, in MB [10^6 bytes]",
        },
    },
    "place": {
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
            "help": "number of classes of a zoo network (default: the network's own)",
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
        "batch": {
            "kind": "integer",
            "help": "samples per step on each device (default: the largest under the device's line, at most "
                    "256)",
        },
        "mode": {
            "kind": "string",
            "help": "train or inference",
        },
        "optimizer": {
            "kind": "string",
            "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                    "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)",
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
        "samples": {
            "kind": "integer",
            "help": "samples per epoch; for inference, samples in all (default: 50,000)",
        },
        "epochs": {
            "kind": "integer",
            "help": "number of passes over the samples (default: 1)",
        },
        "price": {
            "kind": "number",
            "help": "price in USD per hour, instead of the catalog's [USD per hour] (default: the catalog's)",
        },
        "by": {
            "kind": "string",
            "help": "rank by time or by money",
        },
        "device": {
            "kind": "list:string",
            "help": "consider only this device: a name, 'this' or the path of a device file; may be repeated "
                    "(default: the whole catalog)",
        },
        "framework": {
            "kind": "string",
            "help": "framework whose memory and time are predicted: plimsoll, pytorch or tensorflow (default: "
                    "pytorch on GPUs, else plimsoll)",
        },
        "layout": {
            "kind": "string",
            "help": "memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)",
        },
        "compile": {
            "kind": "boolean",
            "help": "predict for torch.compile, which fuses chains of element-wise operations into one kernel",
        },
        "torch": {
            "kind": "string",
            "help": "PyTorch version, where it matters: 1.12, 2.4 \u2026",
        },
        "host_cpu": {
            "kind": "string",
            "help": "CPU of the catalog that drives the GPU; it sets the pace at small batches (default: a CPU "
                    "of the GPU's time)",
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
            "help": "images/s that one core decodes and augments [images per second and core]",
        },
        "host_cores": {
            "kind": "integer",
            "help": "CPU cores for loading (default: those of the device's host)",
        },
        "disk": {
            "kind": "string",
            "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                    " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; "
                    "4xsata@1GB/s: four, through 1 GB/s (default: sata)",
        },
        "loaders": {
            "kind": "integer",
            "help": "loader workers (default: one per host core)",
        },
        "top": {
            "kind": "integer",
            "help": "rows to show",
        },
        "accuracy": {
            "kind": "boolean",
            "help": "show how far predicted step times have been from measured ones",
        },
    },
    "scale": {
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
            "help": "number of classes of a zoo network (default: the network's own)",
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
        "price": {
            "kind": "number",
            "help": "price of the named device in USD per hour, instead of the catalog's [USD per hour] "
                    "(default: the catalog's)",
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
            "help": "gradient noise scale of a run, or the run's folder; it stands for the critical batch",
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
            "help": "train or inference",
        },
        "optimizer": {
            "kind": "string",
            "help": "sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, "
                    "lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)",
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
        "framework": {
            "kind": "string",
            "help": "framework whose memory and time are predicted: plimsoll, pytorch or tensorflow (default: "
                    "pytorch on GPUs, else plimsoll)",
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
            "help": "images/s that one core decodes and augments [images per second and core]",
        },
        "host_cores": {
            "kind": "integer",
            "help": "CPU cores for loading (default: those of the device's host)",
        },
        "disk": {
            "kind": "string",
            "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                    " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; "
                    "4xsata@1GB/s: four, through 1 GB/s (default: sata)",
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
    },
    "models": {
        "language": {
            "kind": "boolean",
            "help": "list the networks from Hugging Face transformers, by family, instead",
        },
    },
    "devices": {
        "name": {
            "kind": "string",
            "help": "one device, or the path of a device file of your own (.json)",
        },
        "kind": {
            "kind": "string",
            "help": "only gpu, cpu, node or instance",
        },
    },
}
