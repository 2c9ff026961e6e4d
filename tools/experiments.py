#!/usr/bin/env python3
"""experiments.py PLIMSOLL [NAME …]: trains the networks of docs/recipes.md and writes what came out of them there.

Without names: all that have no result yet. A result is docs/runs/NAME.json: the settings and epochs that `train --json`
printed, without what is this machine's alone. `--document` only writes docs/recipes.md anew from the results.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = ROOT / "docs" / "runs"

# name -> what it shows, and the flags of train
EXPERIMENTS = {
    "fmnist": ("A small CNN on Fashion-MNIST: the demo's run.",
               "fmnist_cnn --data fashion-mnist --epochs 3 --batch 128 --optimizer adam --lr 1e-3 --schedule cosine"),
    "digits_logistic": ("Logistic regression on handwritten digits.",
                        "logistic --data mnist --epochs 5 --batch 64 --optimizer sgd --lr 0.05"),
    "digits_dense": ("A dense network on the same digits.",
                     "mlp --data mnist --epochs 5 --batch 64 --optimizer adam --lr 1e-3"),
    "digits_lenet": ("LeNet-5 on the same digits.",
                     "lenet5 --data mnist --epochs 5 --batch 64 --optimizer adam --lr 1e-3"),
    "text": ("textcnn on descriptions of Debian packages: to which section does one belong?",
             "textcnn --data debian-sections --epochs 4 --batch 64 --optimizer adam --lr 1e-3 --early-stop 2"),
    "gpt": ("A GPT of 10 M parameters on the King James Bible, from Debian's package bible-kjv-text.",
            "gpt-10m --data king-james --tokenizer bpe:4096 --sequence 128 --batch 8 --epochs 4 --optimizer adamw "
            "--lr 1e-3 --schedule cosine --warmup 50 --save-best"),
    "convergence": ("The network of the published convergence table, one worker: training accuracy there 0.7153.",
                    "convergence --data cifar10 --validation 0 --epochs 12 --batch 512 --optimizer adam --lr 1e-3"),
    "cifar10": ("CIFAR-10 to 90 % and more on a CPU: ResNet-9 at half its width.",
                "resnet9_half --data cifar10 --validation 0 --epochs 10 --batch 128 --optimizer nesterov --lr 0.15 "
                "--schedule cosine --warmup 2epochs --weight-decay 5e-4 --label-smoothing 0.1 --normalise standard "
                "--augment flip,shift:4 --seed 1"),
    "catsdogs": ("Cats and dogs from a folder of JPEGs, at a reduced input: stops early and takes the best epoch.",
                 "catsdogs --input 3x96x96 --data catsdogs --validation 0.2 --epochs 40 --batch 32 --optimizer adam "
                 "--lr 1e-5 --normalise standard --augment flip --early-stop 5"),
    "alexnet": ("AlexNet, at 64x64, on CIFAR-10: one epoch.",
                "alexnet --input 3x64x64 --classes 10 --data cifar10 --epochs 1 --batch 64 --optimizer adam --lr 1e-4 "
                "--normalise standard"),
}

# The three usual comparisons: also asked whether a CPU or a GPU is the machine for them.
COMPARED = ["digits_lenet", "text", "alexnet"]
OF_PLACE = ["--input", "--classes", "--batch", "--optimizer", "--epochs"]

KEPT = ["model", "data", "parameters", "train_samples", "validation_samples", "test_samples", "classes", "batch",
        "steps_per_epoch", "optimizer", "learning_rate", "schedule", "seed", "threads", "test_accuracy", "test_loss",
        "best_epoch", "restored_best", "ended", "planned_bytes", "peak_bytes", "predicted_step_seconds", "step_seconds"]


def run(plimsoll, name):
    flags = EXPERIMENTS[name][1]
    with tempfile.TemporaryDirectory() as folder:
        command = [plimsoll, "train", *flags.split(), "--run-dir", f"{folder}/run", "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{name} failed with exit code {done.returncode}")
    keep(name, json.loads(done.stdout))


def keep(name, answer):
    result = {"command": "plimsoll train " + EXPERIMENTS[name][1], **{key: answer[key] for key in KEPT}}
    kept = ("train_loss", "train_accuracy", "val_loss", "val_accuracy", "images_per_second", "train_perplexity",
            "val_perplexity", "tokens_per_second", "seconds")
    result["epochs"] = [{key: epoch[key] for key in kept if key in epoch} for epoch in answer["epochs"]]
    RUNS.mkdir(parents=True, exist_ok=True)
    (RUNS / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def judge(plimsoll, name):
    """Adds the verdict of `place` on the same job to a result."""
    path = RUNS / f"{name}.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    model, *flags = EXPERIMENTS[name][1].split()
    of_place = [word for flag, value in zip(flags, flags[1:]) if flag in OF_PLACE for word in (flag, value)]
    command = ["place", model, *of_place, "--samples", str(result["train_samples"])]
    done = subprocess.run([plimsoll, *command, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    verdict = json.loads(done.stdout)["verdict"]
    result["place"] = {"command": "plimsoll " + " ".join(command),
                       **{key: verdict[key] for key in ("kind", "choice", "reasons")}}
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def percent(share):
    return "" if share is None else f"{share * 100:.2f} %"


def number(value):
    return "" if value is None else f"{value:.4f}"


def language_words(result):
    """A language model is told by its perplexity and its time."""
    last = result["epochs"][result["best_epoch"] - 1 if result["restored_best"] else -1]
    minutes = sum(epoch["seconds"] for epoch in result["epochs"]) / 60
    yield (f"{result['parameters']:,} parameters, {result['train_samples']:,} training sequences, a vocabulary of "
           f"{result['classes']:,} tokens. **Perplexity {last['val_perplexity']:.1f} on the validation part** after "
           f"{minutes:.0f} minutes of training, {last['tokens_per_second']:,.0f} tokens/s. Memory planned "
           f"{result['planned_bytes'] / 2**20:.1f} MiB, measured {result['peak_bytes'] / 2**20:.1f} MiB.\n")
    yield "| epoch | loss | perplexity | validation loss | validation perplexity |\n|---:|---:|---:|---:|---:|"
    for i, epoch in enumerate(result["epochs"], 1):
        yield (f"| {i} | {number(epoch['train_loss'])} | {epoch['train_perplexity']:.1f} | "
               f"{number(epoch['val_loss'])} | {epoch['val_perplexity']:.1f} |")
    yield ""


def section(name, result):
    yield f"## {EXPERIMENTS[name][0]}\n"
    yield f"```\n{result['command']}\n```\n"
    if "val_perplexity" in result["epochs"][-1]:
        yield from language_words(result)
        return
    last = result["epochs"][-1]
    words = f"{result['parameters']:,} parameters, {result['train_samples']:,} training samples. "
    if result["test_accuracy"] is not None:
        words += f"**Test accuracy {percent(result['test_accuracy'])}**, "
    words += f"training accuracy of the last epoch {last['train_accuracy']:.4f}. "
    if result["restored_best"]:
        ended = result["ended"].replace("-", " ")
        words += f"Ended by {ended}; the weights are those of epoch {result['best_epoch']}. "
    words += (f"Memory planned {result['planned_bytes'] / 2**20:.1f} MiB, "
              f"measured {result['peak_bytes'] / 2**20:.1f} MiB.")
    yield words + "\n"
    yield "| epoch | loss | accuracy | validation loss | validation accuracy |\n|---:|---:|---:|---:|---:|"
    for i, epoch in enumerate(result["epochs"], 1):
        yield (f"| {i} | {number(epoch['train_loss'])} | {percent(epoch['train_accuracy'])} | "
               f"{number(epoch['val_loss'])} | {percent(epoch['val_accuracy'])} |")
    yield ""
    if "place" in result:
        place = result["place"]
        yield f"CPU or GPU? `{place['command']}` says **{place['kind'].upper()}**, {place['choice']}:\n"
        yield "\n".join(f"- {reason}" for reason in place["reasons"]) + "\n"


def document():
    lines = ["# Recipes, and what came out of them\n",
             "Each was run by `make experiments` (`tools/experiments.py build/plimsoll NAME`) on two cores of a CPU. "
             "The figures are what `train --json` printed, kept in `docs/runs`. Training loss and accuracy are running "
             "means over the epoch.\n"]
    for name in EXPERIMENTS:
        path = RUNS / f"{name}.json"
        if path.exists():
            lines += section(name, json.loads(path.read_text(encoding="utf-8")))
    (ROOT / "docs" / "recipes.md").write_text("\n".join(lines), encoding="utf-8")


def main():
    if "--document" not in sys.argv:
        wanted = sys.argv[2:] or [name for name in EXPERIMENTS if not (RUNS / f"{name}.json").exists()]
        for name in wanted:
            run(sys.argv[1], name)
            if name in COMPARED:
                judge(sys.argv[1], name)
    document()


if __name__ == "__main__":
    main()
