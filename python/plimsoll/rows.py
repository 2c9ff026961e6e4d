"""The rows of requests: of each verb its fields, how they are read and what they mean."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "weigh": {
        "model": {
            "kind": "list:string",
            "help": "networks of the zoo ('plimsoll models') or paths of .onnx files",
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
            "help": "largest first: params, macs, flops, activations, naive, moved or intensity",
        },
        "depth": {
            "kind": "integer",
            "help": "one row for all layers whose names agree in so many parts",
        },
        "top": {
            "kind": "integer",
            "help": "only the first rows",
        },
        "units": {
            "kind": "integer",
            "help": "add the rounds that so many equal units need for a layer's outputs",
        },
        "epochs": {
            "kind": "list:integer",
            "help": "with several networks: epochs of each, e.g. 10,100",
        },
        "epoch_time": {
            "kind": "list:string",
            "help": "with --epochs: time per epoch of each, e.g. 2.4h,90s [seconds]",
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
        "batch": {
            "kind": "integer",
            "help": "is this batch under the line? (default: the largest that is)",
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
        "context": {
            "kind": "integer",
            "help": "with --mode generate: tokens of a sequence, prompt and answer together [tokens] (default: "
                    "4,096)",
        },
        "concurrency": {
            "kind": "integer",
            "help": "with --mode generate: sequences that are served at the same time (default: 1)",
        },
        "prompt_tokens": {
            "kind": "integer",
            "help": "with --mode generate: tokens that are read before the first is written [tokens] (default: "
                    "fit: the whole context; place: 1,024)",
        },
        "output_tokens": {
            "kind": "integer",
            "help": "with --mode generate: tokens that are written [tokens] (default: 256)",
        },
        "weights": {
            "kind": "string",
            "help": "with --mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, "
                    "gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, "
                    "q5_0, q5_k_m, q6_k or q8_0 (default: bf16)",
        },
        "kv": {
            "kind": "string",
            "help": "with --mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, "
                    "q8_0 or q4_0 (default: bf16)",
        },
        "workers": {
            "kind": "integer",
            "help": "with --mode generate: devices that share the network (default: those of the device)",
        },
        "tensor_parallel": {
            "kind": "integer",
            "help": "with --mode generate: devices among which every matrix is cut (default: those of the "
                    "device)",
        },
        "offload": {
            "kind": "string",
            "help": "with --mode generate: layers that the CPU keeps and computes, a number or 'all' (default: "
                    "none)",
        },
        "device": {
            "kind": "string",
            "help": "a device of the catalog ('plimsoll devices'), 'this', or the path of a device file",
        },
        "memory": {
            "kind": "string",
            "help": "how much memory there is, e.g. 8GiB (2^30) or 8GB (10^9) [bytes]",
        },
        "framework": {
            "kind": "string",
            "help": "whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast "
                    "(default: pytorch on GPUs, else plimsoll)",
        },
        "layout": {
            "kind": "string",
            "help": "how PyTorch keeps images in the memory of a GPU: nchw, or nhwc (channels last)",
        },
        "compile": {
            "kind": "boolean",
            "help": "PyTorch with torch.compile: chains of element-wise operations become one kernel",
        },
        "torch": {
            "kind": "string",
            "help": "version of PyTorch, where it matters: 1.12, 2.4 \u2026",
        },
        "load_line": {
            "kind": "number",
            "help": "how far the memory may be filled",
        },
        "threads": {
            "kind": "integer",
            "help": "threads of a step on this machine (default: its cores)",
        },
        "conv": {
            "kind": "string",
            "help": "how convolutions are computed here: auto (the fastest for each layer), direct, winograd "
                    "(3x3 kernels faster, more memory) or fft (large kernels faster, more memory)",
        },
        "residence": {
            "kind": "boolean",
            "help": "also what is where (disk, RAM, caches, device) and what moves cost",
        },
        "disk": {
            "kind": "string",
            "help": "where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4"
                    " (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate as 550MB/s; "
                    "4xsata@1GB/s: four, through 1 GB/s (default: sata)",
        },
        "sample_bytes": {
            "kind": "string",
            "help": "with --residence: one sample's file, e.g. 110KB [bytes]",
        },
        "brief": {
            "kind": "boolean",
            "help": "skip the suggestions of what would carry more (they take the longest)",
        },
        "print_passes": {
            "kind": "boolean",
            "help": "print the step's program after each pass that changed it, with the pass's reason and time,"
                    " to stderr",
        },
        "model_mb": {
            "kind": "number",
            "help": "without MODEL: the parameters, in MB (10^6 bytes) [10^6 bytes]",
        },
        "sample_mb": {
            "kind": "number",
            "help": "without MODEL: one sample as the network reads it, in MB [10^6 bytes]",
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
        "batch": {
            "kind": "integer",
            "help": "samples per step on each device (default: the largest under its line, at most 256)",
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
        "context": {
            "kind": "integer",
            "help": "with --mode generate: tokens of a sequence, prompt and answer together [tokens] (default: "
                    "4,096)",
        },
        "concurrency": {
            "kind": "integer",
            "help": "with --mode generate: sequences that are served at the same time (default: 1)",
        },
        "prompt_tokens": {
            "kind": "integer",
            "help": "with --mode generate: tokens that are read before the first is written [tokens] (default: "
                    "fit: the whole context; place: 1,024)",
        },
        "output_tokens": {
            "kind": "integer",
            "help": "with --mode generate: tokens that are written [tokens] (default: 256)",
        },
        "weights": {
            "kind": "string",
            "help": "with --mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, "
                    "gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, "
                    "q5_0, q5_k_m, q6_k or q8_0 (default: bf16)",
        },
        "kv": {
            "kind": "string",
            "help": "with --mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, "
                    "q8_0 or q4_0 (default: bf16)",
        },
        "workers": {
            "kind": "integer",
            "help": "with --mode generate: devices that share the network (default: those of the device)",
        },
        "tensor_parallel": {
            "kind": "integer",
            "help": "with --mode generate: devices among which every matrix is cut (default: those of the "
                    "device)",
        },
        "offload": {
            "kind": "string",
            "help": "with --mode generate: layers that the CPU keeps and computes, a number or 'all' (default: "
                    "none)",
        },
        "samples": {
            "kind": "integer",
            "help": "samples of an epoch, or of the job in inference (default: 50,000)",
        },
        "epochs": {
            "kind": "integer",
            "help": "times that all samples are seen (default: 1)",
        },
        "price": {
            "kind": "number",
            "help": "USD per hour, instead of the catalog's [USD per hour] (default: the catalog's)",
        },
        "by": {
            "kind": "string",
            "help": "rank by time or by money",
        },
        "device": {
            "kind": "list:string",
            "help": "only this device; may be given several times; 'this' and paths of device files too "
                    "(default: all of the catalog)",
        },
        "framework": {
            "kind": "string",
            "help": "whose memory and time: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast "
                    "(default: pytorch on GPUs, else plimsoll)",
        },
        "layout": {
            "kind": "string",
            "help": "how PyTorch keeps images in the memory of a GPU: nchw, or nhwc (channels last)",
        },
        "compile": {
            "kind": "boolean",
            "help": "PyTorch with torch.compile: chains of element-wise operations become one kernel",
        },
        "torch": {
            "kind": "string",
            "help": "version of PyTorch, where it matters: 1.12, 2.4 \u2026",
        },
        "host_cpu": {
            "kind": "string",
            "help": "the CPU that drives the GPU, of the catalog: at small batches it sets the pace (default: "
                    "one of the GPU's age)",
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
        "top": {
            "kind": "integer",
            "help": "rows of the table",
        },
        "accuracy": {
            "kind": "boolean",
            "help": "how far off predictions of step time have been, against measurements",
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
            "help": "samples per step on each worker (default: what is done first where the critical batch is "
                    "known, else the largest under the line, at most 256)",
        },
        "global_batch": {
            "kind": "integer",
            "help": "samples per step of all workers together",
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
    },
    "models": {
        "language": {
            "kind": "boolean",
            "help": "networks of transformers, by family, instead of the others",
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
    "calibrate": {
        "device": {
            "kind": "string",
            "help": "the device: a name of the catalog, 'this', or the path of a device file",
        },
        "gemm": {
            "kind": "string",
            "help": "measured: what a large matrix product reaches, e.g. 71TFLOPS [operations a second]",
        },
        "gemm_dtype": {
            "kind": "string",
            "help": "the number format of that product: f16, bf16, tf32 or f32 (default: f16 where the device "
                    "has matrix units for it, else f32)",
        },
        "bandwidth": {
            "kind": "string",
            "help": "measured: what a copy of a large tensor reaches, bytes read and written together, e.g. "
                    "900GB/s [bytes a second]",
        },
        "measured": {
            "kind": "list:string",
            "help": "instead: a measured step of PyTorch, NETWORK:BATCH[:FORMAT][:inference]=TIME, also with "
                    ":nhwc, :compile or :512tokens; may be given several times",
        },
        "source": {
            "kind": "string",
            "help": "how the numbers were measured, for the file (default: 'measured, as given')",
        },
        "out": {
            "kind": "string",
            "help": "write the device file here (default: only shown)",
        },
    },
}
