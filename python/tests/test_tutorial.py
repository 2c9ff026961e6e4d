"""The tutorial runs from its first cell to its last."""
import pytest

from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("torch")
pytest.importorskip("onnxscript")


def test_the_tutorial_runs():
    notebook = nbformat.read(ROOT / "python" / "examples" / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", [])
                if "text/html" in output.get("data", {})]
    assert len(pictures) >= 3
