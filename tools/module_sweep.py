#!/usr/bin/env python3
"""Exports networks of torchvision, timm and transformers by both of PyTorch's exporters and writes down what the
modules themselves count: parameters, multiply-accumulates (torch.utils.flop_counter), and the bytes that autograd
keeps between the forward and the backward pass (saved_tensors_hooks). tests/numeric/modules_test.cpp holds the
importer to it.

    tools/module_sweep.py FOLDER                     all of them, with their weights
    tools/module_sweep.py FOLDER --strip resnet18 …  some, without their weights: for tests/data/modules
    tools/module_sweep.py FOLDER --check PROGRAM     export, check and delete one after the other; a line for each
"""
import argparse
import contextlib
import csv
import io
import logging
import os
import pathlib
import subprocess
import sys
import traceback
import warnings

import onnx
import torch
from torch.utils.flop_counter import FlopCounterMode

import module_cases

COLUMNS = ["file", "network", "exporter", "params", "macs", "saved_bytes", "notes"]
KEPT_INLINE, KEPT_TABLE = 1024, 1 << 15  # bytes of a tensor that stays in a file without weights


def loss_of(scores):
    """As plimsoll chooses it: cross-entropy over the classes."""
    if scores.dim() == 3:
        scores = scores.flatten(0, 1)
    target = torch.zeros((scores.shape[0], *scores.shape[2:]), dtype=torch.long)
    return torch.nn.functional.cross_entropy(scores, target)


def saved_bytes(network, example):
    """Bytes of all memory that autograd keeps, each once, parameters left out."""
    own = {parameter.untyped_storage().data_ptr() for parameter in network.parameters()}
    kept = {}

    def remember(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = (storage.nbytes(), storage)  # held, so that no other gets the same address
        return tensor

    network.train()
    with torch.autograd.graph.saved_tensors_hooks(remember, lambda tensor: tensor):
        loss = loss_of(network(example))
    total = sum(size for size, _ in kept.values())
    del loss
    return total


def macs(network, example):
    network.eval()
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        network(example)
    return counter.get_total_flops() // 2


def export(network, example, path, dynamo):
    network.eval()
    with torch.no_grad(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        if dynamo:
            torch.onnx.export(network, (example,), path, dynamo=True, verbose=False, external_data=False)
        else:
            torch.onnx.export(network, (example,), path, dynamo=False)


def strip(path):
    """Leaves out the numbers of large tensors, and what exporters write for people."""
    model = onnx.load(path)
    offset = 0
    tables = {name for node in model.graph.node if node.op_type in ("Add", "Mul", "Where", "Concat", "Expand")
              for name in node.input}  # masks and angles, which are told by their numbers
    for tensor in model.graph.initializer:
        size = len(tensor.raw_data)
        if size <= (KEPT_TABLE if tensor.name in tables else KEPT_INLINE):
            continue
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", "weights.bin"), ("offset", str(offset)), ("length", str(size))):
            tensor.external_data.add(key=key, value=value)
        offset += size
    for node in model.graph.node:
        node.doc_string = ""
        kept = [entry for entry in node.metadata_props
                if entry.key in ("pkg.torch.onnx.name_scopes", "pkg.onnxscript.rewriter.rule_name")]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    onnx.save(model, path)


def rows_of(name, folder, exporters, stripped):
    network, example = module_cases.built(name)
    counted = {"network": name, "params": sum(p.numel() for p in network.parameters()),
               "macs": macs(network, example), "saved_bytes": saved_bytes(network, example)}
    for exporter in exporters:
        path = folder / f"{name}-{exporter}.onnx"
        try:
            export(network, example, path, exporter == "dynamo")
        except Exception as error:  # noqa: BLE001  the exporter's own limits
            print(f"{name} {exporter}: not exported: {str(error).splitlines()[0][:100]}", flush=True)
            continue
        if stripped:
            strip(path)
        yield {**counted, "file": path.name, "exporter": exporter, "notes": ""}


def write(folder, rows):
    with open(folder / "expected.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def check(folder, row, program):
    """One export against the test program; what it says."""
    write(folder, [row])
    asked = {**os.environ, "PLIMSOLL_MODULES": str(folder), "PLIMSOLL_MODULES_FIGURES": "1"}
    done = subprocess.run([program, "--gtest_filter=*Modules*", "--gtest_brief=1"], capture_output=True, text=True,
                          env=asked, check=False)
    (folder / row["file"]).unlink()
    figures = [line for line in done.stdout.splitlines() if line.startswith("figures ")]
    return done.returncode == 0, figures[0] if figures else done.stdout[-300:].replace("\n", " | ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--strip", action="store_true")
    parser.add_argument("--check", metavar="PROGRAM")
    parser.add_argument("--exporters", default="dynamo,legacy")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.backends.mha.set_fastpath_enabled(False)  # of inference alone, and not to be exported
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows, failed = [], 0
    for name in arguments.names or module_cases.cases():
        try:
            for row in rows_of(name, arguments.folder, arguments.exporters.split(","), arguments.strip):
                rows.append(row)
                if arguments.check:
                    good, said = check(arguments.folder, row, arguments.check)
                    failed += 0 if good else 1
                    print("ok  " if good else "FAIL", said, flush=True)
        except Exception:  # noqa: BLE001  a library that changed: the others go on
            print(f"{name}: {traceback.format_exc().splitlines()[-1][:150]}", flush=True)
    if not arguments.check:
        write(arguments.folder, rows)
    print(f"{len(rows)} exports, {failed} not as the module counts" if arguments.check else f"{len(rows)} exports")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
