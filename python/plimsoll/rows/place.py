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
    "batch": {
        "kind": "integer",
        "help": "samples per step on each device (default: the largest under the device's line, at most "
                "256)",
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
    "workers": {
        "kind": "integer",
        "help": "devices that share a language model, trained or served (default: those of the device)",
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
    "context": {
        "kind": "integer",
        "help": "with mode generate: tokens of a sequence, prompt and answer together [tokens] (default: "
                "4,096)",
    },
    "concurrency": {
        "kind": "integer",
        "help": "with mode generate: sequences that are served at the same time (default: 1)",
    },
    "prompt_tokens": {
        "kind": "integer",
        "help": "with mode generate: tokens that are read before the first is written [tokens] (default: "
                "fit: the whole context; place: 1,024)",
    },
    "output_tokens": {
        "kind": "integer",
        "help": "with mode generate: tokens that are written [tokens] (default: 256)",
    },
    "weights": {
        "kind": "string",
        "help": "with mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, "
                "gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, "
                "q5_0, q5_k_m, q6_k or q8_0 (default: bf16)",
    },
    "kv": {
        "kind": "string",
        "help": "with mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, "
                "q8_0 or q4_0 (default: bf16)",
    },
    "samples": {
        "kind": "integer",
        "help": "samples per epoch; for inference, samples in all (default: 50,000)",
    },
    "epochs": {
        "kind": "integer",
        "help": "number of passes over the samples (default: 1)",
    },
    "tokens": {
        "kind": "number",
        "help": "tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples \u00d7 epochs \u00d7"
                " sequence)",
    },
    "price": {
        "kind": "number",
        "help": "price in USD per hour [USD per hour] (default: the catalog's)",
    },
    "by": {
        "kind": "string",
        "help": "rank by time or by money",
    },
    "device": {
        "kind": "list:string",
        "help": "consider only these devices: names with commas between, 'this' or the path of a device "
                "file; may be repeated (default: the whole catalog)",
    },
    "kind": {
        "kind": "list:string",
        "help": "only devices that are gpu or cpu, cloud (rented instances) or owned; gpu,cloud: both",
    },
    "framework": {
        "kind": "string",
        "help": "framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, "
                "llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)",
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
    "attention": {
        "kind": "string",
        "help": "how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or "
                "eager (single operations) (default: sdpa, or eager where a file's network writes it out)",
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
    "electricity": {
        "kind": "number",
        "help": "what a kilowatt-hour costs, for devices that are bought [USD per kWh]",
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
    "top": {
        "kind": "integer",
        "help": "rows to show",
    },
    "accuracy": {
        "kind": "boolean",
        "help": "show how far predicted step times have been from measured ones",
    },
}
