"""Measured steps and kernels of PyTorch on GPUs (tests/data/facts/modern), each with the operators that it ran, in the
form that build/tests/gpu_time_rows reads: {"ops": […], "runs": [{"device": …, "batch": …}]}."""

import csv
import gzip
import json
import pathlib
import re

FACTS = pathlib.Path(__file__).resolve().parent.parent / "tests/data/facts/modern"
TIMM_CARDS = {"rtx3090": "nvidia-rtx-3090", "rtx4090": "nvidia-rtx-4090",
              "rtx-pro-6000-maxq": "nvidia-rtx-pro-6000-max-q"}  # fmt: skip


def rows_of(name):
    with gzip.open(FACTS / f"{name}.csv.gz", "rt") as lines:
        yield from csv.DictReader(lines)


def family(model):
    model = re.sub("^(tf_|ig_|swsl_|ssl_|gluon_|legacy_|ens_adv_|jx_)", "", model)
    return re.match("[a-z]+", model)[0]


def timm_runs():
    """By (model, image, mode)."""
    runs = {}
    for name, mode in ("timm_infer", "infer"), ("timm_train_rtx3090", "train"):
        for row in rows_of(name):
            version = tuple(map(int, row["torch"].split(".")[:2]))
            if row["precision"] != "amp" or (mode == "infer" and version < (2, 4)):
                continue
            run = dict(device=TIMM_CARDS[row["gpu"]], batch=int(row["batch"]), layout=row["layout"],
                       compiled=row["compiled"] == "1", dtype="f16", seconds=float(row["step_ms"]) * 1e-3,
                       torch=row["torch"], parameters=1e6 * float(row["params_m"]))  # fmt: skip
            runs.setdefault((row["model"], int(row["img"]), mode), []).append(run)
    return runs


def is_of(graph, run):
    """Whether that network was measured: two names have changed hands, and some were measured with branches merged."""
    return abs(run["parameters"] / graph["params"] - 1) < 0.02


def timm():
    """Networks under autocast, inference and training."""
    runs = timm_runs()
    with gzip.open(FACTS / "timm_graphs.jsonl.gz", "rt") as lines:
        for graph in map(json.loads, lines):
            measured = [run for run in runs.get((graph["model"], graph["img"], graph["mode"]), [])
                        if is_of(graph, run)]  # fmt: skip
            if measured:
                yield dict(graph, runs=measured, family=family(graph["model"]), set="timm_" + graph["mode"])


def product(m, n, k, batches=1, dtype="float32", name="addmm"):
    if batches > 1:
        return dict(n="bmm", bmnk=[batches, m, n, k], dt=dtype)
    return dict(n=name, mnk=[m, n, k], dt=dtype, ss=[[]] * 3)


def passes(name, reads, writes, dtype="float32", row=None):
    """Numbers read and written, and those of a row where that matters."""
    size = {"float32": 4, "float16": 2}[dtype]
    operands = 2 if reads > writes else 1
    return dict(n=name, ib=reads * size, ob=writes * size, pb=0, dt=dtype, os=[row] if row else [], ss=[[]] * operands)


def case(name, op, run, mode="infer"):
    return dict(model=name, family=name, set=name, mode=mode, B=1, params=0, ops=[op], runs=[run])


def vidur():
    """Products of 16 bits on an A100."""
    for row in rows_of("vidur_ops_fp16"):
        if row["op"] != "linear":
            continue
        op = product(*(int(float(row[name])) for name in "mnk"), dtype="float16", name="mm")
        run = dict(device="nvidia-a100-80gb", dtype="f16", seconds=float(row["median_ms"]) * 1e-3, alone=True)
        yield case("vidur_products", op, run)


NEUSIGHT_CARDS = {
    "Tesla_P4": "nvidia-p4", "Tesla_T4": "nvidia-t4", "Tesla_V100-PCIE-32GB": "nvidia-v100-pcie-16gb",
    "NVIDIA_A100-PCIE-40GB": "nvidia-a100-pcie-40gb", "NVIDIA_A100_80GB_PCIe": "nvidia-a100-pcie-80gb",
    "AMD_Instinct_MI100": "amd-mi100", "AMD_Instinct_MI210": "amd-mi210",
}  # fmt: skip


def neusight_operator(row):
    b, m, k, n, h = (int(float(row[name] or 1)) for name in ("b", "m", "k", "n", "h"))
    if row["op"] == "linear":
        return product(b * m, n, k)
    if row["op"] == "bmm":
        return product(m, n, k, b)
    name = {"ln": "native_layer_norm", "softmax": "_softmax"}.get(row["op"], row["op"])
    return passes(name, (2 if row["op"] in ("add", "mul", "div", "pow") else 1) * b * h, b * h, row=h)


def neusight():
    """Operators in f32, TF32 off."""
    for row in rows_of("neusight_ops"):
        run = dict(device=NEUSIGHT_CARDS[row["gpu"].replace(" ", "_")], dtype="f32", alone=True,
                   seconds=float(row["latency_ms"]) * 1e-3)  # fmt: skip
        kind = "products" if row["op"] in ("linear", "bmm") else "passes"
        yield case("neusight_" + kind, neusight_operator(row), run)


ELEMENT = ("add", "mul", "truediv", "sub", "gelu", "where", "pow", "tanh", "activation", "dropout", "drop",
           "attn_dropout", "resid_dropout")  # fmt: skip
LAYERS = ("dense", "lm_head", "query", "key", "value", "classifier", "decoder", "seq_relationship")
EMBEDDINGS = ("wte", "wpe", "word_embeddings", "token_type_embeddings", "position_embeddings")


def volume(shape):
    total = 1
    for size in shape:
        total *= size
    return total


def transformer_operator(row):
    """None: no kernel, or one that is not worth a line."""
    kind = re.sub(r"<(?:built-in )?(?:function|method) (\w+).*", r"\1", row["kind"].split(".")[-1])
    inputs = json.loads(row["inputs"])
    output = json.loads(row["output"].replace("(", "[").replace(",)", "]").replace(")", "]"))
    if volume(output) < 1024:
        return None
    if kind == "addmm":
        return product(inputs[1][0], inputs[2][1], inputs[1][1])
    if kind in LAYERS:
        depth = inputs[0][-1]
        return product(volume(output) // output[-1], output[-1], depth)
    if kind == "matmul":
        return product(output[-2], output[-1], inputs[0][-1], volume(output[:-2]))
    if kind == "LayerNorm" or kind.startswith("ln_"):
        return passes("native_layer_norm", volume(output), volume(output))
    if kind == "softmax":
        return passes("_softmax", volume(output), volume(output), row=output[-1])
    if kind in EMBEDDINGS or kind == "contiguous":
        return passes("index" if kind in EMBEDDINGS else "clone", volume(output), volume(output))
    if kind in ELEMENT:
        if row["mode"] == "inf" and "drop" in kind:
            return None
        # A dropout in training writes a byte of mask for each number.
        return passes(kind, sum(map(volume, inputs)), volume(output) * (1.25 if "drop" in kind else 1))
    return None


def transformers():
    """Operators of BERT and GPT in f32, forward, and both ways where it trained."""
    for row in rows_of("neusight_model_ops"):
        op = transformer_operator(row)
        device = NEUSIGHT_CARDS.get(row["gpu"])
        if op is None or device is None:
            continue
        run = dict(device=device, dtype="f32", seconds=float(row["fw_ms"]) * 1e-3, alone=True)
        made = case("transformer_operators", op, run)
        yield dict(made, model=row["kind"])
