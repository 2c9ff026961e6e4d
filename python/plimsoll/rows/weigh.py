"""The rows of a request to weigh."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
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
}
