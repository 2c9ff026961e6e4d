"""The answers, as frozen dataclasses."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from plimsoll.answers.shared import (UnknownOp, Plan, AccuracyRow, MemoryAccuracy, TokenPlacement, Accuracy,
        DevicePart, Price, Source, Figure, Device)
from plimsoll.answers.weigh import (Block, Cache, Layer, Weight, WeighComparison)
from plimsoll.answers.fit import (Alternative, Move, NamedBytes, PastLine, Range, Resident, Residence,
        ServingAccuracy, ServingAlternative, Tensor, TimelineParts, TokenAlternative, Fit, FitByArithmetic,
        FitServing, TokenFit)
from plimsoll.answers.place import (StepRange, Stages, Placement, TokenPrice, ServingPlacement, ServingVerdict,
        TokenVerdict, Verdict, Place, PlaceServing, TokenPlace)
from plimsoll.answers.scale import (Link, ScaleRun, ScaleAdvice, ScaleVerdict, SupposedScale, TokenRun, Wiring, Scale,
        Links, TokenScale)
from plimsoll.answers.models import (LanguageModel, Model, Models, LanguageModels)
from plimsoll.answers.devices import (Devices)
from plimsoll.answers.calibrate import (CalibratedRun, Calibration)

__all__ = ["UnknownOp", "Plan", "AccuracyRow", "MemoryAccuracy", "TokenPlacement", "Accuracy", "DevicePart", "Price",
        "Source", "Figure", "Device", "Block", "Cache", "Layer", "Weight", "WeighComparison", "Alternative", "Move",
        "NamedBytes", "PastLine", "Range", "Resident", "Residence", "ServingAccuracy", "ServingAlternative", "Tensor",
        "TimelineParts", "TokenAlternative", "Fit", "FitByArithmetic", "FitServing", "TokenFit", "StepRange",
        "Stages", "Placement", "TokenPrice", "ServingPlacement", "ServingVerdict", "TokenVerdict", "Verdict", "Place",
        "PlaceServing", "TokenPlace", "Link", "ScaleRun", "ScaleAdvice", "ScaleVerdict", "SupposedScale", "TokenRun",
        "Wiring", "Scale", "Links", "TokenScale", "LanguageModel", "Model", "Models", "LanguageModels", "Devices",
        "CalibratedRun", "Calibration"]
