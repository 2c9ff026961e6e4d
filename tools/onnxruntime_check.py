"""onnxruntime_check.py EXPORT_CASES: what we export, run by onnxruntime, gives our own outputs to 1e-4.

EXPORT_CASES (tests/onnxruntime) writes the models, their inputs and our outputs. Where onnxruntime is missing the check
ends with 77, which ctest shows as skipped; `make test` installs it into build/venv where pip can.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
TOLERANCE = 1e-4


def use_venv(program):
    """Runs this script again by the interpreter beside the build, if there is one."""
    python = pathlib.Path(program).resolve().parent.parent / "venv" / "bin" / "python"
    if python.exists() and pathlib.Path(sys.prefix).resolve() != python.parent.parent.resolve():
        os.execv(python, [str(python), *sys.argv])


def check(onnxruntime, numpy, model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    wanted = session.get_inputs()[0]
    kind = numpy.int64 if "int64" in wanted.type else numpy.float32
    shape = [2, *wanted.shape[1:]]  # the batch is open
    given = numpy.fromfile(model.with_suffix(".input"), kind).reshape(shape)
    ours = numpy.fromfile(model.with_suffix(".output"), numpy.float32)
    theirs = session.run(None, {wanted.name: given})[0].ravel()
    if ours.shape != theirs.shape:
        return float("inf")
    return float(numpy.abs(ours - theirs).max() / numpy.abs(ours).max())


def main():
    program = sys.argv[1]
    use_venv(program)
    try:
        import numpy
        import onnxruntime
    except ImportError as missing:
        print(f"skipped: {missing.name} is not installed")
        return SKIPPED
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        models = sorted(pathlib.Path(folder).glob("*.onnx"))
        for model in models:
            difference = check(onnxruntime, numpy, model)
            print(f"{model.stem:20} {difference:.1e}")
            worst = max(worst, difference)
    print(f"{len(models)} networks, onnxruntime {onnxruntime.__version__}, largest difference {worst:.1e}")
    return 0 if models and worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
