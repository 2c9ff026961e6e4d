"""The table of an answer: its rows, and as a pandas.DataFrame."""
from __future__ import annotations

from typing import Any, Dict, List

from plimsoll.error import Error

_TABLE = {"Weight": "layers", "WeighComparison": "models", "Place": "ranking", "Scale": "runs", "Models": "models",
          "Devices": "devices", "Links": "links", "Fit": "alternatives", "Accuracy": "step_time"}


def rows(answer: Any) -> List[Any]:
    """The rows that make up the answer's table."""
    field = _TABLE.get(type(answer).__name__)
    if field is None:
        raise Error(f"a {type(answer).__name__} has no table", hint="to_dict() has all of it")
    return list(getattr(answer, field))


def _flat(row: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    """Inner objects become columns of their own: stages.compute_seconds."""
    out: Dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            out.update(_flat(value, f"{before}{key}."))
        else:
            out[before + key] = value
    return out


def to_pandas(answer: Any) -> Any:
    table = rows(answer)
    try:
        import pandas
    except ImportError:
        raise Error("to_pandas() needs pandas, which is not installed", hint="pip install pandas") from None
    return pandas.DataFrame([_flat(row.to_dict()) for row in table])
