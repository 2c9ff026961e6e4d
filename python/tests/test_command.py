"""The command of the wheel."""
import json
import os
import subprocess
import sys

import plimsoll as pl


def ran(*words, **options):
    return subprocess.run([sys.executable, "-m", "plimsoll.command", *words], capture_output=True, text=True, **options)


def test_json_is_the_library_s_answer():
    done = ran("fit", "resnet50", "--device", "nvidia-t4", "--batch=16", "--brief", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == pl.fit("resnet50", device="nvidia-t4", batch=16, brief=True).to_dict()


def test_what_does_not_fit_ends_with_1():
    assert ran("fit", "resnet50", "--device", "nvidia-t4", "--batch", "4096", "--brief").returncode == 1


def test_tables_for_readers():
    done = ran("weigh", "resnet50", "--depth", "1")
    assert done.returncode == 0 and "layer4" in done.stdout and "25.56 M parameters" in done.stdout


def test_several_models_and_lists():
    assert len(json.loads(ran("weigh", "lenet5", "mlp", "--json").stdout)["models"]) == 2
    done = ran("scale", "lenet5", "--device", "nvidia-t4", "--workers", "1,2", "--json")
    assert [run["workers"] for run in json.loads(done.stdout)["runs"]] == [1, 2]


def test_mistakes_are_one_line_and_2():
    for words in (["fit", "lenet5", "--devise", "x"], ["fit", "lenet5", "--device"], ["wigh", "lenet5"],
                  ["fit", "lenet5", "--device", "nvidia-t4", "--batch", "many"], ["models", "lenet5"]):
        done = ran(*words)
        assert done.returncode == 2 and done.stderr.startswith("plimsoll: ") and done.stderr.count("\n") == 1, words


def test_training_says_how_to_get_the_program(tmp_path):
    done = ran("train", "lenet5", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 2 and "make install" in done.stderr


def test_training_is_passed_on_to_the_program(tmp_path):
    import shutil
    shutil.copy("/bin/echo", tmp_path / "plimsoll")
    done = ran("train", "lenet5", "--epochs", "3", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 0 and done.stdout == "train lenet5 --epochs 3\n"
