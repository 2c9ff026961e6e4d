"""The verb devices."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, cast

from plimsoll import asking
from plimsoll.answers.devices import Devices


def devices(
    name: Optional[str] = None,
    *,
    kind: Optional[Literal["gpu", "cpu", "node", "instance"]] = None,
    **unknown: NoReturn,
) -> Devices:
    """The devices that are known: memory, speed, price.

    name: one device, or the path of a device file of your own (.json)
    kind: only gpu, cpu, node or instance

    Returns Devices. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"name": name, "kind": kind}
    return cast(Devices, asking.ask("devices", None, None, fields, unknown))
