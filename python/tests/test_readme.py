"""The Python of both READMEs runs as it stands there; lines that need torch where it is installed."""
import re
import shutil

import pytest

from conftest import ROOT


def lines_of(readme):
    block = re.search(r"```python\n(.*?)```", (ROOT / readme).read_text(), re.DOTALL).group(1)
    assert block.startswith("import plimsoll as pl\n")
    return block


@pytest.mark.parametrize("readme", ["README.md", "python/README.md"])
def test_the_example_runs(readme, tmp_path, monkeypatch, resnet18_file, capsys):
    shutil.copy(resnet18_file, tmp_path / "model.onnx")
    monkeypatch.chdir(tmp_path)
    block, names = lines_of(readme), {}
    try:
        import onnxscript  # noqa: F401
        import torch
        names["model"] = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Flatten(), torch.nn.Linear(394272, 4))
    except ImportError:
        block = "\n".join(line for line in block.splitlines() if "(model," not in line)
    exec(compile(block, readme, "exec"), names)
    assert "layer4" in capsys.readouterr().out
