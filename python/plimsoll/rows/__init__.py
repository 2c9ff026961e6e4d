"""The rows of requests: of each verb its fields, how they are read and what they mean."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Mapping

from plimsoll.rows import weigh
from plimsoll.rows import fit
from plimsoll.rows import place
from plimsoll.rows import scale
from plimsoll.rows import models
from plimsoll.rows import devices
from plimsoll.rows import calibrate

ROWS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "weigh": weigh.ROWS,
    "fit": fit.ROWS,
    "place": place.ROWS,
    "scale": scale.ROWS,
    "models": models.ROWS,
    "devices": devices.ROWS,
    "calibrate": calibrate.ROWS,
}
