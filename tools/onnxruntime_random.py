"""onnxruntime_random.py RANDOM_GRAPHS SEED COUNT: random networks run forward by onnxruntime give our own outputs.

RANDOM_GRAPHS (tests/fuzz/random_graphs) writes the networks, their inputs, our outputs in f64 and how far f32 may be
off. Networks that onnxruntime does not load (operations or types that it lacks) are counted, not compared. Where
onnxruntime is missing the check ends with 77, which ctest shows as skipped.
"""

import pathlib
import subprocess
import sys
import tempfile

from onnxruntime_check import SKIPPED, use_venv


def outputs_of(onnxruntime, numpy, model):
    """Its first output, or None where onnxruntime declines the network."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        wanted = session.get_inputs()
        given = numpy.fromfile(model.with_suffix(".input"), numpy.float64).astype(numpy.float32)
        feed = {value.name: given.reshape(value.shape) for value in wanted}
        return session.run(None, feed)[0]
    except Exception as declined:  # of whatever kind: onnxruntime has many
        return str(declined).splitlines()[0]


def main():
    program, first, count = sys.argv[1:4]
    use_venv(program)
    try:
        import numpy
        import onnxruntime
    except ImportError as missing:
        print(f"skipped: {missing.name} is not installed")
        return SKIPPED
    onnxruntime.set_default_logger_severity(4)
    agree, declined, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--forward", folder, first, count], check=True)
        for model in sorted(pathlib.Path(folder).glob("*.onnx"), key=lambda path: int(path.stem)):
            theirs = outputs_of(onnxruntime, numpy, model)
            if isinstance(theirs, str):
                declined += 1
                if "-v" in sys.argv:
                    print(f"seed {model.stem}: {theirs[:200]}")
                continue
            if not numpy.isfinite(theirs).all() and b"MeanVarianceNormalization" in model.read_bytes():
                declined += 1  # without its epsilon a variance of 0 makes 0 / 0
                continue
            ours = numpy.fromfile(model.with_suffix(".output"), numpy.float64)
            tolerance = numpy.fromfile(model.with_suffix(".tolerance"), numpy.float64)[0]
            off = numpy.abs(ours - theirs.ravel()).max() if theirs.size == ours.size else float("inf")
            if off <= tolerance:
                agree += 1
            else:
                wrong += 1
                print(f"seed {model.stem}: off by {off:.3g}, {tolerance:.3g} at most")
    print(f"{agree} agree, {wrong} differ, {declined} are declined by onnxruntime {onnxruntime.__version__}")
    return 0 if agree and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
