"""Which class an answer becomes: the forms of each verb, with the keys it always has."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import List, Mapping, Tuple, Type

from plimsoll.answer import Answer
from plimsoll.answers import (Weight, WeighComparison, Fit, FitByArithmetic, FitServing, TokenFit, Place, Accuracy,
        PlaceServing, TokenPlace, Scale, Links, TokenScale, Models, LanguageModels, Devices, Calibration)

FORMS: Mapping[str, List[Tuple[Type[Answer], List[str]]]] = {
    "weigh": [(Weight, ["activation_bytes", "active_params", "at_most_operations", "batch", "buffer_bytes", "buffers",
        "dtype", "flops", "input_bytes", "layers", "macs", "mode", "model", "moved_bytes", "naive_bytes", "notes",
        "optimizer", "optimizer_bytes", "param_bytes", "params", "stored_numbers", "train_flops", "trainable_params",
        "unbounded_operations", "uncounted_operations", "unknown_ops", "untied_params"]), (WeighComparison,
        ["models"])],
    "fit": [(Fit, ["allocated_bytes", "alternatives", "at_peak", "batch", "breakdown", "dtype",
        "evaluation_peak_bytes", "fits", "framework", "largest_batch", "largest_tensor", "line_bytes", "load_line",
        "lower_bound", "memory_bytes", "mode", "model", "needed_bytes", "peak_bytes", "peak_operation", "range",
        "reserved_bytes", "sentences", "shortfall_bytes", "smallest_memory_bytes", "timeline", "timeline_parts",
        "unbounded_operations", "uncounted_operations", "unknown_ops"]), (FitByArithmetic, ["batch", "breakdown",
        "fits", "form", "largest_batch", "line_bytes", "load_line", "memory_bytes", "peak_bytes", "sentences",
        "shortfall_bytes", "smallest_memory_bytes"]), (FitServing, ["accuracy", "allocated_bytes", "alternatives",
        "breakdown", "concurrency", "context", "devices", "fits", "framework", "host_bytes", "kv",
        "kv_bytes_per_token", "largest_concurrency", "largest_context", "layers_on_host", "left_bytes", "line_bytes",
        "load_line", "memory_bytes", "mode", "model", "needed_bytes", "peak_bytes", "prompt_tokens", "sentences",
        "shortfall_bytes", "weights"]), (TokenFit, ["allocated_bytes", "alternatives", "attention", "batch",
        "breakdown", "dtype", "fits", "framework", "largest_batch", "largest_sequence", "largest_tensor",
        "line_bytes", "load_line", "logits", "memory_bytes", "method", "mode", "model", "needed_bytes", "optimizer",
        "params", "peak_bytes", "peak_operation", "plan", "range", "reserved_bytes", "sentences", "sequence",
        "shortfall_bytes", "smallest_memory_bytes", "trainable_params"])],
    "place": [(Place, ["dtype", "epochs", "load_line", "lower_bound", "mode", "model", "not_placed", "notes",
        "ranking", "samples", "unbounded_operations", "uncounted_operations", "unknown_ops", "verdict"]), (Accuracy,
        ["memory", "scaling", "step_time"]), (PlaceServing, ["concurrency", "kv", "load_line", "mode", "model",
        "not_placed", "notes", "output_tokens", "prompt_tokens", "ranking", "verdict", "weights"]), (TokenPlace,
        ["dtype", "load_line", "method", "mode", "model", "not_placed", "notes", "ranking", "sequence", "tokens",
        "verdict"])],
    "scale": [(Scale, ["critical_batch", "device", "dtype", "epochs", "exchange", "framework", "if_critical_batch",
        "knee", "lower_bound", "model", "notes", "optimizer", "price", "recommendation", "reference_batch", "runs",
        "samples", "steps_are", "unbounded_operations", "uncounted_operations", "unknown_ops", "verdict", "wiring"]),
        (Accuracy, ["memory", "scaling", "step_time"]), (Links, ["links"]), (TokenScale, ["device", "dtype", "method",
        "model", "notes", "reasons", "runs", "searched", "sequence", "tokens"])],
    "models": [(Models, ["models"]), (LanguageModels, ["models"])],
    "devices": [(Devices, ["devices"])],
    "calibrate": [(Calibration, ["bandwidth", "bandwidth_before", "device", "gemm", "gemm_before", "gemm_dtype"])],
}
