"""The rows of a request to place."""
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
    "batch": {
        "kind": "integer",
        "help": "samples a step on each device (default: the largest under its line, at most 256)",
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
}
