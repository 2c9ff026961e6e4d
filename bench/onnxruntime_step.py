#!/usr/bin/env python3
"""One onnxruntime process: the median time of an inference of an .onnx file, by the clock and of the processor. Used
by peers.py.

usage: onnxruntime_step.py FILE.onnx BATCH THREADS SECONDS

All graph optimisations are on; outputs stay in memory that is bound once.
"""
import json
import statistics
import sys
import time

import numpy
import onnxruntime

NUMBERS = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}


def main():
    path, batch, threads, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    generator = numpy.random.default_rng(0)
    binding = session.io_binding()
    for wanted in session.get_inputs():
        shape = [size if isinstance(size, int) else batch for size in wanted.shape]
        shape[0] = batch
        binding.bind_cpu_input(wanted.name, generator.standard_normal(shape).astype(NUMBERS[wanted.type]))
    for given in session.get_outputs():
        binding.bind_output(given.name)
    for _ in range(3):
        session.run_with_iobinding(binding)
    times, begin = [], time.monotonic()
    while len(times) < 3 or time.monotonic() - begin < seconds:
        start, had = time.monotonic(), time.process_time()
        session.run_with_iobinding(binding)
        times.append((time.monotonic() - start, time.process_time() - had))
    step, processor = (statistics.median(each) for each in zip(*times))
    print(json.dumps({"step_seconds": step, "processor_seconds": processor, "version": onnxruntime.__version__}))


if __name__ == "__main__":
    main()
