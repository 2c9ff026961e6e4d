"""Where the tests find the source tree: PLIMSOLL_SOURCE, as they run on an installed wheel, outside of it."""
import os
import pathlib

import pytest

ROOT = pathlib.Path(os.environ.get("PLIMSOLL_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


@pytest.fixture
def resnet18_file() -> pathlib.Path:
    return ROOT / "tests" / "data" / "models" / "resnet18.onnx"
