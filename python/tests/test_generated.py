"""What is written from schema/ is up to date, and the example is typed."""
import pathlib
import subprocess
import sys

import pytest

import plimsoll
from conftest import ROOT



def test_the_package_is_what_the_schemas_say():
    package = pathlib.Path(plimsoll.__file__).parent
    writer = ROOT / "tools" / "write_python.py"
    done = subprocess.run([sys.executable, "-B", writer, ROOT / "schema", package, "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout


def test_the_example_runs():
    example = ROOT / "python" / "examples" / "first_steps.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "25,557,032 parameters" in done.stdout


@pytest.mark.parametrize("path", ["examples/first_steps.py", "plimsoll"])
def test_mypy_is_strict(path, tmp_path):
    target = pathlib.Path(plimsoll.__file__).parent if path == "plimsoll" else ROOT / "python" / path
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
                           "--cache-dir", tmp_path, target], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
