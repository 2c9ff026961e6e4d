"""The rows of a request to models."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
    "language": {
        "kind": "boolean",
        "help": "networks of transformers, by family, instead of the others",
    },
}
