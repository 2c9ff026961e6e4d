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


@pytest.mark.parametrize("words", [[ROOT / "python" / "examples" / "first_steps.py"],
                                   ["--ignore-missing-imports", "-p", "plimsoll"]], ids=str)
def test_mypy_is_strict(words, tmp_path):
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path]
    done = subprocess.run([*mypy, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
