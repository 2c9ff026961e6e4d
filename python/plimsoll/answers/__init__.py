"""The answers, as frozen dataclasses."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from plimsoll.answers.shared import (UnknownOp, AccuracyRow, MemoryAccuracy, Accuracy, DevicePart, Price, Source,
        Figure, Device)
from plimsoll.answers.weigh import (Block, Cache, Layer, Weight, WeighComparison)
from plimsoll.answers.fit import (Alternative, Move, PastLine, Range, Resident, Residence, Tensor, TimelineParts, Fit,
        FitByArithmetic)
from plimsoll.answers.place import (Stages, Placement, Verdict, Place)
from plimsoll.answers.scale import (Link, ScaleRun, ScaleAdvice, ScaleVerdict, SupposedScale, Wiring, Scale, Links)
from plimsoll.answers.models import (LanguageModel, Model, Models, LanguageModels)
from plimsoll.answers.devices import (Devices)
from plimsoll.answers.calibrate import (CalibratedRun, Calibration)

__all__ = ["UnknownOp", "AccuracyRow", "MemoryAccuracy", "Accuracy", "DevicePart", "Price", "Source", "Figure",
        "Device", "Block", "Cache", "Layer", "Weight", "WeighComparison", "Alternative", "Move", "PastLine", "Range",
        "Resident", "Residence", "Tensor", "TimelineParts", "Fit", "FitByArithmetic", "Stages", "Placement",
        "Verdict", "Place", "Link", "ScaleRun", "ScaleAdvice", "ScaleVerdict", "SupposedScale", "Wiring", "Scale",
        "Links", "LanguageModel", "Model", "Models", "LanguageModels", "Devices", "CalibratedRun", "Calibration"]
