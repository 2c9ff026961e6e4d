"""The rows of a request to models."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
    "language": {
        "kind": "boolean",
        "help": "list the networks from Hugging Face transformers, by family, instead",
    },
}
