"""The questions, as functions."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from plimsoll.verbs.weigh import weigh
from plimsoll.verbs.fit import fit
from plimsoll.verbs.place import place
from plimsoll.verbs.scale import scale
from plimsoll.verbs.models import models
from plimsoll.verbs.devices import devices
from plimsoll.verbs.calibrate import calibrate

__all__ = ["weigh", "fit", "place", "scale", "models", "devices", "calibrate"]
