"""The rows of a request to weigh."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
    "model": {
        "kind": "list:string",
        "help": "networks of the zoo ('plimsoll models') or paths of .onnx files",
    },
    "batch": {
        "kind": "integer",
        "help": "samples a step (default: 1)",
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
}
