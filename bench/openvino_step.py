#!/usr/bin/env python3
"""One OpenVINO process: the median time of an inference of an .onnx file, by the clock and of the processor. Used by
peers.py.

usage: openvino_step.py FILE.onnx BATCH THREADS SECONDS

On the processor, in f32 as the others, for the shortest time of one request; inputs are set once.
"""
import json
import statistics
import sys
import time

import numpy
import openvino


def main():
    path, batch, threads, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    core = openvino.Core()
    model = core.read_model(path)
    model.reshape({given: [batch, *list(given.get_partial_shape())[1:]] for given in model.inputs})
    compiled = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY",
                                                 "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    generator = numpy.random.default_rng(0)
    for given in compiled.inputs:
        numbers = generator.standard_normal(tuple(given.shape)).astype(given.element_type.to_dtype())
        request.set_tensor(given, openvino.Tensor(numbers))
    for _ in range(3):
        request.infer()
    times, begin = [], time.monotonic()
    while len(times) < 3 or time.monotonic() - begin < seconds:
        start, had = time.monotonic(), time.process_time()
        request.infer()
        times.append((time.monotonic() - start, time.process_time() - had))
    step, processor = (statistics.median(each) for each in zip(*times))
    print(json.dumps({"step_seconds": step, "processor_seconds": processor,
                      "version": openvino.__version__.split("-")[0]}))


if __name__ == "__main__":
    main()
