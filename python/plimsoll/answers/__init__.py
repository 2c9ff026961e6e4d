"""The answers, as frozen dataclasses."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from plimsoll.answers.shared import (UnknownOp, AccuracyRow, MemoryAccuracy, Accuracy)
from plimsoll.answers.weigh import (Block, Cache, Layer, Weight, WeighComparison)
from plimsoll.answers.fit import (Alternative, Move, PastLine, Range, Resident, Residence, ServingAccuracy,
        ServingAlternative, Tensor, TimelineParts, Fit, FitByArithmetic, FitServing)
from plimsoll.answers.place import (Stages, Placement, TokenPrice, ServingPlacement, ServingVerdict, Verdict, Place,
        PlaceServing)
from plimsoll.answers.scale import (Link, ScaleRun, ScaleAdvice, ScaleVerdict, SupposedScale, Wiring, Scale, Links)
from plimsoll.answers.models import (LanguageModel, Model, Models, LanguageModels)
from plimsoll.answers.devices import (DevicePart, Price, Source, Figure, Device, Devices)

__all__ = ["UnknownOp", "AccuracyRow", "MemoryAccuracy", "Accuracy", "Block", "Cache", "Layer", "Weight",
        "WeighComparison", "Alternative", "Move", "PastLine", "Range", "Resident", "Residence", "ServingAccuracy",
        "ServingAlternative", "Tensor", "TimelineParts", "Fit", "FitByArithmetic", "FitServing", "Stages",
        "Placement", "TokenPrice", "ServingPlacement", "ServingVerdict", "Verdict", "Place", "PlaceServing", "Link",
        "ScaleRun", "ScaleAdvice", "ScaleVerdict", "SupposedScale", "Wiring", "Scale", "Links", "LanguageModel",
        "Model", "Models", "LanguageModels", "DevicePart", "Price", "Source", "Figure", "Device", "Devices"]
