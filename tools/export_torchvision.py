#!/usr/bin/python3
"""Exports networks with random weights to ONNX, drops the weights and writes down what they count.

A tensor above 1 KiB becomes external data in a `weights.bin` that is never written: structure is
all that weighing needs. Each export is a row of expected.csv whose figures come from PyTorch, not
from the file: parameters (and those the file must hold, where exporting merges or unfolds some) and
buffers of the module, and the multiply-accumulates of convolutions and matrix products that one
sample causes in a run, with the part of them that more samples would share (macs_once).
"""
import argparse
import csv
import io
import pathlib
import re
import sys
import warnings

import onnx
import torch
from torch.onnx import TrainingMode
from torch.utils._python_dispatch import TorchDispatchMode

import export_cases

INLINE_BYTES = 1024
CONVOLUTIONS = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d)
BATCH_NORMS = (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)
MODES = {"eval": TrainingMode.EVAL, "kept": TrainingMode.PRESERVE, "train": TrainingMode.TRAINING}
COLUMNS = ["file", "model", "opset", "dynamic_batch", "input_shape", "params", "file_params", "buffers", "macs",
           "macs_once", "notes"]


class MacCounter(TorchDispatchMode):
    """Adds up the multiply-accumulates of the convolutions and matrix products that really run."""

    def __init__(self):
        super().__init__()
        self.macs = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        if name == "convolution":
            image, weight, transposed = args[0], args[1], args[6]
            self.macs += (image if transposed else result).numel() * weight[0].numel()
        elif name in ("mm", "bmm", "mv", "dot"):
            self.macs += result.numel() * args[0].shape[-1]
        elif name in ("addmm", "baddbmm", "addmv"):
            self.macs += result.numel() * args[1].shape[-1]
        return result


class ConvolvedBatchNorms:
    """Hears of each batch norm that directly follows a convolution: an eval export may multiply it into that."""

    def __init__(self, model):
        self.lost = {}  # by the batch norm's name: the parameters that merging it loses
        self.names = {module: name for name, module in model.named_modules()}
        self.convolved = {}  # by id of the output, which is kept so that no other gets the same id
        self.hooks = [m.register_forward_hook(self.remember) for m in model.modules() if isinstance(m, CONVOLUTIONS)]
        self.hooks += [m.register_forward_pre_hook(self.look) for m in model.modules() if isinstance(m, BATCH_NORMS)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for hook in self.hooks:
            hook.remove()

    def remember(self, module, _, output):
        self.convolved[id(output)] = (module, output)

    def look(self, module, inputs):
        conv, _ = self.convolved.get(id(inputs[0]), (None, None))
        if conv is not None:
            self.lost[self.names[module]] = module.weight.numel() * (1 if conv.bias is None else 2)

    def merged(self, stored):
        """Of these, the ones whose weight the file no longer has."""
        names = {tensor.name for tensor in stored.graph.initializer}
        names.update(output for node in stored.graph.node for output in node.output)
        return [lost for name, lost in self.lost.items() if f"{name}.weight" not in names]


def tensors_of(graph):
    """Every stored tensor: initializers and Constant nodes, those of subgraphs too."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            if attribute.HasField("g"):
                yield from tensors_of(attribute.g)


def drop_weights(model):
    offset = 0
    for tensor in tensors_of(model.graph):
        length = len(tensor.raw_data)
        if length <= INLINE_BYTES:
            continue
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", "weights.bin"), ("offset", offset), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        offset += length


def export(case, model, args):
    names = [f"input{i}" if i else "input" for i in range(len(case.inputs))]
    buffer = io.BytesIO()
    torch.onnx.export(
        model, args, buffer, opset_version=case.opset, training=MODES[case.mode], input_names=names,
        do_constant_folding=case.fold, keep_initializers_as_inputs=case.weights_as_inputs,
        dynamic_axes={name: {0: "batch"} for name in names} if case.dynamic else None)
    stored = onnx.load_from_string(buffer.getvalue())
    drop_weights(stored)
    return stored


def count_macs(case, model, args):
    """(of one sample, the part of them that does not grow with the batch), and the batch norms to merge."""
    with MacCounter() as counter, ConvolvedBatchNorms(model) as batch_norms:
        model(*args)
    if not case.dynamic:
        return counter.macs, 0, batch_norms
    with MacCounter() as doubled:
        model(*(torch.cat([x, x]) for x in args))
    once = 2 * counter.macs - doubled.macs
    return (counter.macs - once) // case.inputs[0].shape[0] + once, once, batch_norms


def measure(case, model, args, stored):
    """The row of one case, without the file's name: what PyTorch says of the module."""
    notes = [f"mode {case.mode}"] + ["unfolded"] * (not case.fold) + ["weights as inputs"] * case.weights_as_inputs
    params = file_params = sum(p.numel() for p in model.parameters())
    macs, once, batch_norms = count_macs(case, model, args)
    merged = batch_norms.merged(stored)
    if merged:
        file_params -= sum(merged)
        notes.append(f"{len(merged)} batch norms merged into convolutions: -{sum(merged)}")
    for change, reason in case.changes:
        change = change(model) if callable(change) else change
        file_params += change
        notes.append(f"{reason}: {change:+}")
    return {
        "model": case.model, "opset": case.opset, "dynamic_batch": "yes" if case.dynamic else "no",
        "input_shape": ";".join("x".join(map(str, x.shape)) for x in case.inputs),
        "params": params, "file_params": file_params, "buffers": sum(b.numel() for b in model.buffers()),
        "macs": "" if case.data_dependent else macs, "macs_once": "" if case.data_dependent else once,
        "notes": "; ".join(notes + case.notes)}


def run(case, folder):
    torch.manual_seed(0)
    model = case.build().train(case.mode == "train")
    args = case.args()
    stored = export(case, model, args)
    onnx.save(stored, folder / case.file)
    return {"file": case.file, **measure(case, model, args, stored)}


def read_rows(path):
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[name] for name in sorted(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the .onnx files and expected.csv go")
    parser.add_argument("--only", default="", metavar="REGEX", help="export only the files whose name matches")
    parser.add_argument("--again", type=pathlib.Path, metavar="CSV", help="export only the files that a table lists")
    parser.add_argument("--list", action="store_true", help="print the files' names and stop")
    options = parser.parse_args()

    cases = [case for case in export_cases.all_cases() if re.search(options.only, case.file)]
    if options.again:
        cases = [case for case in cases if case.file in read_rows(options.again)]
    if options.list:
        print("\n".join(case.file for case in cases))
        return 0
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    options.folder.mkdir(parents=True, exist_ok=True)
    table = options.folder / "expected.csv"
    failed = 0
    for case in cases:
        print(case.file, end=" ", flush=True)
        try:
            row = run(case, options.folder)
            write_rows(table, read_rows(table) | {case.file: row})
            print("ok", flush=True)
        except Exception as error:  # an export that fails must not lose the others
            failed += 1
            print("failed:", type(error).__name__, str(error).strip().split("\n")[0][:200], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
