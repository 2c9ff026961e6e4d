"""The rows of a request to devices."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

ROWS: Mapping[str, Mapping[str, str]] = {
    "name": {
        "kind": "string",
        "help": "one device, or the path of a device file of your own (.json)",
    },
    "kind": {
        "kind": "string",
        "help": "only gpu, cpu, node or instance",
    },
}
