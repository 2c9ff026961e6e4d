#!/usr/bin/env python3
"""convergence.py PLIMSOLL [--only NAME …]: the published convergence table, as published and as it should have been.

Six rows, on all of CIFAR-10: with eight workers that all draw the same batches, and with samples shared among them,
three seeds each. A finished run is kept in docs/runs/workers.json and not made again; one that was stopped goes on from
its last checkpoint in build/convergence. docs/convergence.md is written anew each time, from what there is.
"""
import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(ROOT, "docs", "runs", "workers.json")
DOCUMENT = os.path.join(ROOT, "docs", "convergence.md")
FACTS = os.path.join(ROOT, "tests", "data", "facts")
COMMON = "--data cifar10 --validation 0 --epochs 12 --batch 512"
SEEDS = [0, 1, 2]

# row of the table -> network, workers, the flags that are its own
ROWS = {
    "single": ("convergence", 1, "--optimizer adam --lr 1e-3"),
    "naive": ("convergence", 8, "--optimizer adam --lr 1e-3"),
    "batch_norm": ("convergence_bn", 8, "--optimizer adam --lr 8e-3 --warmup 3epochs --warmup-from workers"),
    "lr_scaling_only": ("convergence_bn", 8, "--optimizer adam --lr 8e-3"),
    "lr_scaling_and_warmup": ("convergence_bn", 8, "--optimizer adam --lr 8e-3 --warmup 3epochs --warmup-from workers"),
    "lamb": ("convergence_bn", 8, "--optimizer lamb:tfa --lr 8e-3 --warmup 3epochs --warmup-from workers"),
}
# as they should be run: the same budget of 12 epochs, with what keeps the accuracy
OURS = {
    "ours": ("convergence_bn", 8,
             "--optimizer lamb:tfa --lr 8e-3 --warmup 3epochs --warmup-from workers --schedule cosine"),
}
# LAMB was the one published run whose workers had seeds of their own.
SHARED_AS_PUBLISHED = {"single", "lamb"}


def cases():
    """(key, row, flags) of every run that the document shows."""
    for row, (network, workers, flags) in ROWS.items():
        same = [] if row in SHARED_AS_PUBLISHED else ["--same-batches"]
        yield f"{row}, as published", row, [network, *COMMON.split(), *flags.split(), "-np", str(workers),
                                            "--seed", str(SEEDS[0]), *same]
    for row, (network, workers, flags) in {**ROWS, **OURS}.items():
        for seed in SEEDS:
            more = ["--renew-norms", "12"] if network.endswith("_bn") else []
            yield f"{row}, shared, seed {seed}", row, [network, *COMMON.split(), *flags.split(), "-np", str(workers),
                                                       "--seed", str(seed), *more]


def kept():
    if not os.path.exists(KEPT):
        return {}
    with open(KEPT, encoding="utf-8") as file:
        return json.load(file)


def keep(results):
    with open(KEPT + ".part", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    os.replace(KEPT + ".part", KEPT)


def whole(flags):
    return "plimsoll train " + " ".join(flags)


def run(program, key, flags):
    folder = os.path.join(ROOT, "build", "convergence", key.replace(", ", "-").replace(" ", "-"))
    if os.path.exists(os.path.join(folder, "last.json")):
        words = ["--resume", *flags[flags.index("-np"):flags.index("-np") + 2]]
    else:
        shutil.rmtree(folder, ignore_errors=True)
        words = flags
    command = [program, "train", *words, "--run-dir", folder, "--json"]
    print(f"{key}: {' '.join(command)}", file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{key}: exit code {done.returncode}")
    shutil.rmtree(folder)
    answer = json.loads(done.stdout)
    return {"command": whole(flags), "updates": answer["steps"],
            "train_accuracy": [epoch["train_accuracy"] for epoch in answer["epochs"]],
            "train_loss": answer["epochs"][-1]["train_loss"], "test_accuracy": answer["test_accuracy"]}


def facts(name):
    with open(os.path.join(FACTS, name), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def share(value):
    return "" if value in (None, "") else f"{float(value):.4f}"


def as_published(results):
    yield ("| row | updates | published, V100 | published, A100 | ours, training | difference | PyTorch, training | "
           "ours, test | PyTorch, test |")
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    checked = {fact["run"]: fact for fact in reversed(facts("convergence_checked.csv"))
               if fact["data"] != "sharded" or fact["run"] == "lamb"}
    for fact in facts("convergence_table.csv"):
        result = results.get(f"{fact['run']}, as published")
        ours = result["train_accuracy"][-1] if result else None
        difference = f"{ours - float(fact['accuracy_v100']):+.4f}" if result else ""
        published = f"{share(fact['accuracy_v100'])} | {share(fact['accuracy_a100'])}"
        pytorch = checked.get(fact["run"], {})
        yield (f"| {fact['run']} | {fact['updates']} | {published} | {share(ours)} | {difference} | "
               f"{share(pytorch.get('train_accuracy'))} | {share(result and result['test_accuracy'])} | "
               f"{share(pytorch.get('test_accuracy'))} |")


def of_seeds(results, row, number):
    return [number(results[key]) for key in (f"{row}, shared, seed {seed}" for seed in SEEDS) if key in results]


def mean_text(numbers):
    if not numbers:
        return ""
    deviation = f" ± {statistics.stdev(numbers):.4f}" if len(numbers) > 1 else ""
    return f"{statistics.mean(numbers):.4f}{deviation}"


def shared(results):
    yield "| row | workers | updates | training accuracy | test accuracy | seeds |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row, (_, workers, _) in {**ROWS, **OURS}.items():
        tests = of_seeds(results, row, lambda result: result["test_accuracy"])
        training = of_seeds(results, row, lambda result: result["train_accuracy"][-1])
        updates = of_seeds(results, row, lambda result: result["updates"])
        yield (f"| {row} | {workers} | {updates[0] if updates else ''} | {mean_text(training)} | {mean_text(tests)} | "
               f"{len(tests)} |")


TEXT = """# Many workers, the same accuracy

Written by `make convergence` (`tools/convergence.py build/plimsoll`), from runs that are kept in
`docs/runs/workers.json`. The network and its settings are those of the published table, on all of CIFAR-10, 12 epochs.

## What was wrong with the published experiment

- Its accuracies are those of training, running means over the last epoch. Nothing says how the networks do on samples
  that they have not seen.
- The samples were not shared among the workers, and all but the LAMB run gave every worker the same seed. So the eight
  workers drew the same batches: 144 updates on a batch of 512, one and a half passes over the data instead of twelve.
- Two rows are one program run twice, and every row is one seed without a deviation.
- Batch norm's running statistics, with a momentum of 0.99, have not arrived after 144 updates. What is right in
  training in two of three cases is right on the test set in one of three or less (the last columns of the first table),
  until the statistics are taken anew.

## As published

Every worker draws the same batches (`--same-batches`), except where the published run did not. The difference is that
to the V100. "PyTorch" is the same network run there (`tests/data/facts/convergence_checked.csv`). Test accuracies are
those of the running statistics as they are after so few updates: 144 moves here, each by the mean of the workers'.
PyTorch's workers were parts of one process; by a note there all eight moved them where samples were shared. If that
holds for LAMB too, as we take it, those are 1,152 moves, and its test accuracy is the better for it.

{as_published}

## As it should have been run

Samples shared among the workers without overlap, statistics of the norms taken anew at the end (`--renew-norms`), three
seeds, mean and deviation.

{shared}

"ours" is LAMB with a rate that falls to zero along a cosine (`--schedule cosine`).

{conclusion}
"""


def conclusion(results):
    """How many workers do beside one, once all seeds are there."""
    tests = {row: of_seeds(results, row, lambda result: result["test_accuracy"]) for row in {**ROWS, **OURS}}
    if any(len(numbers) < len(SEEDS) for numbers in tests.values()):
        return "Not all runs have been made yet."
    single, means = statistics.mean(tests["single"]), {row: statistics.mean(numbers) for row, numbers in tests.items()}
    reached = [f"{row} ({mean - single:+.4f})" for row, mean in means.items() if row != "single" and mean >= single]
    short = [f"{row} ({mean - single:+.4f})" for row, mean in means.items() if row != "single" and mean < single]
    return "\n".join([
        f"Test accuracy beside the single worker's {single:.4f}, with an eighth of its updates:", "",
        f"- at least as good: {', '.join(reached) or 'none'};", f"- worse: {', '.join(short) or 'none'}."])


def write_document(results):
    text = TEXT.format(as_published="\n".join(as_published(results)), shared="\n".join(shared(results)),
                       conclusion=conclusion(results))
    with open(DOCUMENT + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(DOCUMENT + ".part", DOCUMENT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="rows of the table")
    parser.add_argument("--document", action="store_true", help="only write docs/convergence.md")
    arguments = parser.parse_args()
    results = kept()
    for key, row, flags in cases():
        if arguments.document or key in results or (arguments.only and row not in arguments.only):
            continue
        # Two rows are one program: what it ends with is the same to the last bit.
        same = next((result for result in results.values() if result["command"] == whole(flags)), None)
        results[key] = same or run(arguments.program, key, flags)
        keep(results)
        write_document(results)
    write_document(results)


if __name__ == "__main__":
    main()
