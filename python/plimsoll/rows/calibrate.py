"""The rows of a request to calibrate."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
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
}
