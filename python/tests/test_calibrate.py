"""python -m plimsoll.calibrate on the CPU: both numbers, and the device file that predictions take."""
import json

import pytest

import plimsoll
from plimsoll import calibrate
from plimsoll.verbs import calibrate as calibrate_device


def test_the_verb_writes_a_file_that_predictions_take(tmp_path):
    path = tmp_path / "mine.json"
    answer = calibrate_device("nvidia-rtx-3090", gemm="50TFLOPS", bandwidth="700GB/s", out=path)
    assert answer.gemm == pytest.approx(50e12)
    assert answer.bandwidth == pytest.approx(700e9)
    step = plimsoll.place("resnet50", device="nvidia-rtx-3090", batch=64, dtype="amp", samples=6400)
    slower = plimsoll.place("resnet50", device=str(path), batch=64, dtype="amp", samples=6400)
    assert slower.ranking[0].step_seconds > 1.1 * step.ranking[0].step_seconds


def test_runs_lead_to_both_numbers():
    answer = calibrate_device("nvidia-rtx-3090", measured=["resnet50:64:amp=150ms", "vit_b_16:64:amp=300ms"])
    assert answer.median_error < answer.median_error_before


@pytest.mark.parametrize("fields", [{}, {"gemm": "0TFLOPS"}, {"gemm": "-3TFLOPS"}, {"gemm": "710TFLOPS"},
                                    {"bandwidth": "9TB/s"}, {"measured": "resnet50:64:amp"},
                                    {"measured": ["resnet50:64:amp=70ms", "resnet50:64:amp=700ms"]}])
def test_nonsense_is_one_line(fields):
    with pytest.raises(plimsoll.Error) as error:
        calibrate_device("nvidia-rtx-3090", **fields)
    assert "\n" not in str(error.value)


def test_a_cpu_is_measured_with_torch(tmp_path, capsys):
    pytest.importorskip("torch")
    path = tmp_path / "this.json"
    # A catalog CPU of any size is a sheet to be held against: only the file's form is looked at.
    assert calibrate.measure("cpu", "f32", 0.05)[2] > 1e8
    code = calibrate.main(["this", "--device", "cpu", "--seconds", "0.05", "-o", str(path)])
    said = capsys.readouterr()
    if code == 2:  # a machine that was not probed has only guessed figures to be held against
        assert said.err.startswith("plimsoll: ") and said.err.count("\n") == 1
        return
    written = json.loads(path.read_text())
    assert written["gemm_rate"]["f32"]["source"] == "calibration"
    assert "torch.mm" in written["sources"]["calibration"]["title"]


def test_devices_that_are_not_there_are_told_in_one_line(capsys):
    pytest.importorskip("torch")
    assert calibrate.main(["nvidia-t4", "--device", "nonsense"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
