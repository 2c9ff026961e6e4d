#!/usr/bin/env python3
"""Exports networks of torchvision, timm and transformers by both of PyTorch's exporters and writes down what the
modules themselves count: parameters, multiply-accumulates (torch.utils.flop_counter), and the bytes that autograd
keeps between the forward and the backward pass (saved_tensors_hooks). tests/numeric/modules_test.cpp holds the
importer to it.

    tools/module_sweep.py FOLDER                     all of them, with their weights
    tools/module_sweep.py FOLDER --strip resnet18 …  some, without their weights: for tests/data/modules
    tools/module_sweep.py FOLDER --check PROGRAM     export what is not there yet, then check; a line for each
"""
import argparse
import contextlib
import csv
import io
import logging
import multiprocessing
import os
import pathlib
import resource
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
    """Bytes of all memory that autograd keeps, each once, parameters and buffers left out."""
    own = {tensor.untyped_storage().data_ptr() for tensor in (*network.parameters(), *network.buffers())}
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
    with FlopCounterMode(display=False) as counter:  # with gradients: without, it refuses parameters as inputs
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
            said = (str(error).splitlines() or [type(error).__name__])[0][:100]
            print(f"{name} {exporter}: not exported: {said}", flush=True)
            yield {**counted, "file": path.name, "exporter": exporter, "notes": said}
            continue
        if stripped:
            strip(path)
        yield {**counted, "file": path.name, "exporter": exporter, "notes": ""}


def _send(queue, arguments):
    limit = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        for row in rows_of(*arguments):
            queue.put(row)
    except Exception:  # noqa: BLE001  a library that changed: the others go on
        print(f"{arguments[0]}: {traceback.format_exc().splitlines()[-1][:150]}", flush=True)
        sys.exit(1)


def rows_apart(name, folder, exporters, stripped):
    """rows_of(), in a process of its own with half of the machine's memory: constants that an exporter folds can be
    tens of gigabytes. What it could not say is noted as not exported."""
    context = multiprocessing.get_context("fork")
    for exporter in exporters:
        queue = context.Queue()
        child = context.Process(target=_send, args=(queue, (name, folder, [exporter], stripped)))
        child.start()
        child.join()
        if child.exitcode == 0:
            yield queue.get(timeout=10)
        else:
            (folder / f"{name}-{exporter}.onnx").unlink(missing_ok=True)
            print(f"{name} {exporter}: its exporter ended with {child.exitcode}", flush=True)


def write(folder, rows):
    with open(folder / "expected.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def known_rows(folder):
    """What earlier runs wrote down, of files that are still there."""
    path = folder / "expected.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if (folder / row["file"]).exists() or row["notes"]]


def check(folder, rows, program):
    """All exports against the test program: a line for each, and how many are off."""
    asked = {**os.environ, "PLIMSOLL_MODULES": str(folder), "PLIMSOLL_MODULES_FIGURES": "1"}
    off = 0
    for row in rows:
        test = "".join(letter if letter.isalnum() else "_" for letter in row["file"])
        done = subprocess.run([program, f"--gtest_filter=*Modules*/{test}", "--gtest_brief=1"], capture_output=True,
                              text=True, env=asked, check=False)
        figures = [line for line in done.stdout.splitlines() if line.startswith("figures ")]
        off += done.returncode != 0
        print("FAIL" if done.returncode else "ok  ",
              figures[0] if figures else row["file"] + done.stdout[-300:].replace("\n", " | "), flush=True)
    return off


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
    rows = known_rows(arguments.folder)
    names, failed = arguments.names or list(module_cases.cases()), 0
    for name in names:
        there = {row["exporter"] for row in rows if row["network"] == name}
        missing = [exporter for exporter in arguments.exporters.split(",") if exporter not in there]
        rows += rows_apart(name, arguments.folder, missing, arguments.strip)
        write(arguments.folder, rows)
    asked = [row for row in rows if row["network"] in names and not row["notes"]]
    if arguments.check:
        failed = check(arguments.folder, asked, arguments.check)
    print(f"{len(asked)} exports" + (f", {failed} not as the module counts" if arguments.check else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
