#!/usr/bin/env python3
"""large_batches.py PLIMSOLL [--only NAME …]: what keeps the accuracy when the batch grows, shown on small problems.

Ghost batch norm, rates and their warm-up, LARS and LAMB at a batch where the plain run fails; the gradient noise scale
on MNIST beside the critical batch that a sweep finds; how sharp the minima of a small and of a large batch are. What is
finished is kept in docs/runs/large_batches.json and not made again; a training that was stopped goes on from its last
checkpoint in build/large_batches. docs/large_batches.md and its pictures are written anew each time, from what there
is; its sentences are in large_batches_text.py.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys

from large_batches_text import TEXT

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "runs" / "large_batches.json"
DOCUMENT = ROOT / "docs" / "large_batches.md"
PICTURES = ROOT / "docs" / "pictures"
WORK = ROOT / "build" / "large_batches"  # where everything is run
SAMPLES = 8192
DATA = f"fashion-{SAMPLES}"

RATES = f"lenet5 --data {DATA} --validation 0 --epochs 10 --threads 1"
NORMS = f"convergence_bn --input 1x14x14 --data {DATA} --validation 0.25 --epochs 10 --threads 1"
LARGE = "--batch 2048 --lr 0.1 --warmup 2epochs"
# name -> what it is called, its flags of train
RATE_RUNS = {
    "small": ("batch 32", "--batch 32 --optimizer momentum --lr 0.008"),
    "naive": ("batch 2048, the same rate", "--batch 2048 --optimizer momentum --lr 0.008"),
    "linear": ("64 times the rate", "--batch 2048 --optimizer momentum --lr 0.512"),
    "warmup": ("64 times, with warm-up", "--batch 2048 --optimizer momentum --lr 0.512 --warmup 4epochs"),
    "half": ("32 times the rate", "--batch 2048 --optimizer momentum --lr 0.256"),
    "lars": ("LARS", "--batch 2048 --optimizer lars --lr 10 --warmup 2epochs"),
    "lamb": ("LAMB", "--batch 2048 --optimizer lamb --lr 0.02 --warmup 2epochs"),
}
NORM_RUNS = {
    "norm-small": ("batch 64", "--batch 64 --lr 0.02"),
    "norm-full": ("norm over 2048", LARGE),
    "norm-renewed": ("norm over 2048, renewed", LARGE + " --renew-norms 3"),
    "norm-ghost": ("ghosts of 64", LARGE + " --batchnorm ghost:64"),
}
# The rate of the warm-up's rows was chosen from these.
SCAN_RUNS = {f"scan-{rate}{name}": (f"rate {rate}{title}", f"--batch 2048 --optimizer momentum --lr {rate}{flags}")
             for rate in (0.4, 0.64)
             for name, title, flags in (("", "", ""), ("-warmup", ", with warm-up", " --warmup 4epochs"))}
SEEDS = {"rates": [0, 1], "scan": [0, 1], "norms": [0, 1]}
NOISE = ("lenet5 --data mnist --validation 0 --epochs 5 --batch 64 --micro-batches 4 --optimizer sgd --lr 0.1 "
         "--threads 1")
GOALS = [0.5, 0.4, 0.3, 0.25]
SWEEP = ("lenet5 --data mnist --validation 0 --epochs 2 --max-steps 1200 --batch 16,64,256,1024 --lr 0.1,0.2,0.4,0.8 "
         "--optimizer sgd --threads 1")
SHARP_RUNS = {
    "batch-32": f"lenet5 --data {DATA} --validation 0 --epochs 10 --batch 32 --optimizer adam --lr 0.001 --threads 1",
    "batch-8192": f"lenet5 --data {DATA} --validation 0 --epochs 100 --batch 8192 --optimizer adam --lr 0.005 "
                  "--threads 1",
}
SHARPNESS = "batch-32 batch-8192 --samples 2000 --directions 3 --threads 1"


def cut_idx(source, target, count):
    """The first samples of an IDX file."""
    data = source.read_bytes()
    axes = data[3]
    sizes = struct.unpack(f">{axes}I", data[4:4 + 4 * axes])
    sample = 1
    for size in sizes[1:]:
        sample *= size
    head = data[:4] + struct.pack(f">{axes}I", count, *sizes[1:])
    target.write_bytes(head + data[4 + 4 * axes:4 + 4 * axes + count * sample])


def write_data(program):
    folder = WORK / DATA
    if (folder / "t10k-labels-idx1-ubyte").exists():
        return
    subprocess.run([program, "data", "fashion-mnist", "--quiet", "--json"], stdout=subprocess.DEVNULL, check=True)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in (("train", SAMPLES), ("t10k", 10_000)):
        for kind in ("images-idx3-ubyte", "labels-idx1-ubyte"):
            name = f"{part}-{kind}"
            cut_idx(cache / "plimsoll" / "data" / "fashion-mnist" / name, folder / name, count)


def kept():
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def keep(results):
    write(KEPT, json.dumps(results, indent=1) + "\n")


def write(path, text):
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def ask(words, cwd=WORK):
    """One answer in JSON; None when a training ended because its loss was no number."""
    print(" ".join(map(str, words)), file=sys.stderr, flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, cwd=cwd)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}")
    return json.loads(done.stdout)


def train(program, name, flags):
    if (WORK / name / "last.json").exists():
        words = ["--resume"]
    else:
        shutil.rmtree(WORK / name, ignore_errors=True)
        words = flags.split()
    return ask([program, "train", *words, "--run-dir", name, "--json", "--quiet"])


EPOCH_FIELDS = ["epoch", "train_loss", "train_accuracy", "val_loss", "val_accuracy"]
POINT_FIELDS = ["batch", "learning_rate", "diverged", "steps", "train_loss", "steps_to_goal"]


def result_of(answer, flags):
    """What is kept of a training: nothing that is this machine's alone."""
    return {"command": "plimsoll train " + flags, "steps": answer["steps"], "ended": answer["ended"],
            "epochs": [{name: epoch[name] for name in EPOCH_FIELDS} for epoch in answer["epochs"]],
            "test_accuracy": answer["test_accuracy"], "trust_ratios": answer.get("trust_ratios")}


def noise_course(folder):
    """(step, loss, noise scale, its interval) over a run; the loss smoothed as the noise scale is."""
    course, mean = [], None
    for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] != "step":
            continue
        mean = event["loss"] if mean is None else 0.9 * mean + 0.1 * event["loss"]
        if "noise_scale" in event:
            course.append([event["step"], round(mean, 4), round(event["noise_scale"], 1),
                           round(event["noise_scale_low"], 1),
                           None if event["noise_scale_high"] is None else round(event["noise_scale_high"], 1)])
    return course


def run_noise(program, results):
    if "noise" in results:
        return
    answer = train(program, "noise", NOISE)
    course = noise_course(WORK / "noise")
    steps = answer["steps_per_epoch"]
    epochs = [statistics.mean(row[2] for row in course if row[0] <= epoch * steps)
              for epoch in range(1, len(answer["epochs"]) + 1)]
    goals = {str(goal): statistics.mean(row[2] for row in course if row[1] > goal) for goal in GOALS}
    results["noise"] = {**result_of(answer, NOISE), "noise_scale": answer["noise_scale"], "average_to_epoch": epochs,
                        "average_to_goal": goals, "course": course[::max(1, len(course) // 60)]}
    keep(results)


def run_sweep(program, results):
    if "sweep" in results:
        return
    goals = {}
    for goal in GOALS:  # the runs are made once
        answer = ask([program, "sweep", *SWEEP.split(), "--goal-loss", str(goal), "--run-dir", "sweep", "--json",
                      "--quiet"])
        goals[str(goal)] = {"points": [{name: point[name] for name in POINT_FIELDS} for point in answer["points"]],
                            "critical_batch": answer["critical_batch"]}
    results["sweep"] = {"command": "plimsoll sweep " + SWEEP, "goals": goals}
    keep(results)


def run_sharpness(program, results):
    if "sharpness" in results:
        return
    trained = {name: result_of(train(program, name, flags), flags) for name, flags in SHARP_RUNS.items()}
    PICTURES.mkdir(exist_ok=True)
    answer = ask([program, "sharpness", *SHARPNESS.split(), "--plot", str(PICTURES / "sharpness.svg"), "--json",
                  "--quiet"])
    results["sharpness"] = {"command": "plimsoll sharpness " + SHARPNESS, "trained": trained, "runs": answer["runs"]}
    keep(results)


def trainings():
    """(group, key, flags) of every training of the curves."""
    for seed in SEEDS["rates"]:
        for name, (_, flags) in RATE_RUNS.items():
            yield "rates", f"{name}, seed {seed}", f"{RATES} {flags} --seed {seed}"
    for seed in SEEDS["scan"]:
        for name, (_, flags) in SCAN_RUNS.items():
            yield "scan", f"{name}, seed {seed}", f"{RATES} {flags} --seed {seed}"
    for seed in SEEDS["norms"]:
        for name, (_, flags) in NORM_RUNS.items():
            yield "norms", f"{name}, seed {seed}", f"{NORMS} {flags} --seed {seed}"


def draw_curves(program, results, runs, picture):
    """By `report --plot`, from logs that hold what is kept of each run's epochs."""
    folders = []
    for name, (title, _) in runs.items():
        result = results.get(f"{name}, seed 0")
        if not result:
            continue
        folder = WORK / "curves" / title
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text("{}")
        (folder / "log.jsonl").write_text("".join(json.dumps({"event": "epoch", "step": 0, **epoch}) + "\n"
                                                  for epoch in result["epochs"]))
        folders.append(title)
    if folders:
        ask([program, "report", *folders, "--no-judging", "--quiet", "--json", "--plot", str(PICTURES / picture)],
            WORK / "curves")


def of_seeds(results, name, seeds, number):
    """Of the seeds that are there; those whose loss became no number have none."""
    numbers = [number(results[key]) for key in (f"{name}, seed {seed}" for seed in seeds) if key in results]
    return [found for found in numbers if found is not None]


def mean_text(numbers):
    if not numbers:
        return ""
    deviation = f" ± {statistics.stdev(numbers):.4f}" if len(numbers) > 1 else ""
    return f"{statistics.mean(numbers):.4f}{deviation}"


def curve_table(results, runs, group, validation):
    more = " validation |" if validation else ""
    yield f"| run | flags | steps | training accuracy |{more} test accuracy | seeds |"
    yield "|---|---|---:|---:|" + ("---:|" if validation else "") + "---:|---:|"
    for name, (title, flags) in runs.items():
        def last(result, what):
            return result["epochs"][-1][what]
        seeds = SEEDS[group]
        steps = of_seeds(results, name, seeds, lambda result: result["steps"])
        training = of_seeds(results, name, seeds, lambda result: last(result, "train_accuracy"))
        tests = of_seeds(results, name, seeds, lambda result: result["test_accuracy"])
        validated = of_seeds(results, name, seeds, lambda result: last(result, "val_accuracy"))
        validated = f" {mean_text(validated)} |" if validation else ""
        yield (f"| {title} | `{flags}` | {steps[0] if steps else ''} | {mean_text(training)} |"
               f"{validated} {mean_text(tests)} | {len(tests)} |")


def trust_table(results):
    rows = {}
    for name in ("lars", "lamb"):
        ratios = results.get(f"{name}, seed 0", {}).get("trust_ratios") or []
        rows[name] = {one["parameter"]: one["ratio"] for one in ratios}
    if not all(rows.values()):
        return
    yield "| parameter | LARS | LAMB |"
    yield "|---|---:|---:|"
    for parameter in rows["lars"]:
        yield f"| {parameter} | {rows['lars'][parameter]:.3g} | {rows['lamb'].get(parameter, float('nan')):.3g} |"


def noise_table(results):
    if "noise" not in results:
        return
    yield "| step | loss, smoothed | noise scale, samples | 95 % |"
    yield "|---:|---:|---:|---|"
    course = results["noise"]["course"]
    for step, loss, scale, low, high in course[::max(1, len(course) // 10)]:
        yield f"| {step} | {loss:.3f} | {scale:,.0f} | {low:,.0f} to {'unknown' if high is None else f'{high:,.0f}'} |"


def average_table(results):
    if "noise" not in results:
        return
    averages = results["noise"]["average_to_epoch"]
    yield "| epochs trained | " + " | ".join(str(epoch + 1) for epoch in range(len(averages))) + " |"
    yield "|---|" + "---:|" * len(averages)
    yield "| noise scale on average, samples | " + " | ".join(f"{average:,.0f}" for average in averages) + " |"


def sweep_table(results):
    if "sweep" not in results:
        return
    goals = results["sweep"]["goals"]
    yield "| batch | " + " | ".join(f"to {goal} | rate | by the law" for goal in goals) + " |"
    yield "|---:|" + "---:|" * (3 * len(goals))
    for batch in sorted({point["batch"] for point in goals[str(GOALS[0])]["points"]}):
        cells = []
        for found in goals.values():
            reached = [(point["steps_to_goal"], point["learning_rate"]) for point in found["points"]
                       if point["batch"] == batch and point["steps_to_goal"] is not None]
            fit = found["critical_batch"]
            cells.append(f"{min(reached)[0]:.0f} | {min(reached)[1]}" if reached else "not reached | ")
            cells.append(f"{fit['least_steps'] * (1 + fit['batch'] / batch):.0f}" if fit else "")
        yield f"| {batch:,} | " + " | ".join(cells) + " |"


def side_by_side(results):
    if "noise" not in results or "sweep" not in results:
        return
    yield "| training loss | noise scale on average until then | critical batch by the sweep | noise scale over it |"
    yield "|---:|---:|---:|---:|"
    for goal, found in results["sweep"]["goals"].items():
        noise, fit = results["noise"]["average_to_goal"][goal], found["critical_batch"]
        if fit:
            yield (f"| {goal} | {noise:,.0f} | {fit['batch']:,.0f} ({fit['low']:,.0f} to {fit['high']:,.0f}) | "
                   f"{noise / fit['batch']:.1f} |")


def sharpness_table(results):
    if "sharpness" not in results:
        return
    kept_runs = results["sharpness"]
    epsilons = [box["epsilon"] for box in kept_runs["runs"][0]["sharpness"]]
    yield ("| batch | steps | training loss here | test accuracy | "
           + " | ".join(f"sharpness at {epsilon:g}" for epsilon in epsilons) + " |")
    yield "|---:|---:|---:|---:|" + "---:|" * len(epsilons)
    for run in kept_runs["runs"]:
        trained = kept_runs["trained"][run["run"]]
        sharp = " | ".join(f"{box['percent']:.2f} %" for box in run["sharpness"])
        yield (f"| {run['batch']:,} | {trained['steps']:,} | {run['loss']:.4f} | {trained['test_accuracy']:.4f} | "
               f"{sharp} |")


def write_document(results):
    commands = {"rates": RATES, "norms": NORMS, "noise": NOISE, "sweep": SWEEP, "sharpness": SHARPNESS,
                "sharp_small": SHARP_RUNS["batch-32"], "sharp_large": SHARP_RUNS["batch-8192"]}
    tables = {"rate_table": curve_table(results, RATE_RUNS, "rates", False),
              "norm_table": curve_table(results, NORM_RUNS, "norms", True), "trust_table": trust_table(results),
              "scan_table": curve_table(results, SCAN_RUNS, "scan", False),
              "average_table": average_table(results), "noise_table": noise_table(results),
              "sweep_table": sweep_table(results), "side_by_side": side_by_side(results),
              "sharpness_table": sharpness_table(results)}
    written = {name: "\n".join(rows) for name, rows in tables.items()}
    write(DOCUMENT, TEXT.format(samples=SAMPLES, **commands, **written))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("--only", nargs="*", metavar="NAME", help="of: rates, scan, norms, noise, sweep, sharpness")
    parser.add_argument("--document", action="store_true", help="only write the document and its curves")
    arguments = parser.parse_args()
    results = kept()
    wanted = [] if arguments.document else arguments.only or ["noise", "rates", "scan", "norms", "sweep", "sharpness"]
    WORK.mkdir(parents=True, exist_ok=True)
    if wanted:
        write_data(arguments.program)
    for group, key, flags in trainings():
        if group not in wanted or key in results:
            continue
        results[key] = result_of(train(arguments.program, key.replace(", ", "-").replace(" ", "-"), flags), flags)
        keep(results)
    for name, run in (("noise", run_noise), ("sweep", run_sweep), ("sharpness", run_sharpness)):
        if name in wanted:
            run(arguments.program, results)
    draw_curves(arguments.program, results, RATE_RUNS, "large_batch_rates.svg")
    told_apart = {name: run for name, run in NORM_RUNS.items() if name != "norm-renewed"}  # it ends otherwise, no more
    draw_curves(arguments.program, results, told_apart, "large_batch_norms.svg")
    write_document(results)


if __name__ == "__main__":
    main()
