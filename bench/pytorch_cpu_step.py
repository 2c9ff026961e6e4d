#!/usr/bin/env python3
"""One process of PyTorch on the CPU: what a step takes of it, and the memory of the process. Used by pytorch_cpu.py.

usage: pytorch_cpu_step.py NETWORK:BATCH[:SEQUENCE] train|inference THREADS SECONDS [f32|bf16]

Eager, images as NCHW, SGD with momentum, cross entropy; nothing is compiled or fused by hand. The time is the processor
time of the process (user and system), the least of all steps: on a shared machine it moves far less than the clock.
Prints one line of JSON.
"""
import json
import os
import resource
import sys
import time

THREADS = sys.argv[3] if len(sys.argv) > 3 else "1"
os.environ["OMP_NUM_THREADS"] = THREADS  # read when the library is loaded

import torch  # noqa: E402

WORDS = {"bert-base": 30522, "gpt2": 50257}


def language_model(name):
    import transformers
    if name == "bert-base":
        config = transformers.BertConfig(hidden_dropout_prob=0, attention_probs_dropout_prob=0)
        return transformers.BertForMaskedLM(config)
    config = transformers.GPT2Config(resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, use_cache=False)
    return transformers.GPT2LMHeadModel(config)


def case_of(text):
    """(network, input, labels): classes of images, or the words of a text."""
    name, batch, *rest = text.split(":")
    if name in WORDS:
        words = torch.randint(0, WORDS[name], (int(batch), int(rest[0])))
        return language_model(name), words, words.flatten()
    import torchvision
    return (getattr(torchvision.models, name)(), torch.randn(int(batch), 3, 224, 224),
            torch.randint(0, 1000, (int(batch),)))


def scores(network, batch):
    out = network(batch)
    if hasattr(out, "logits"):
        return out.logits.flatten(0, 1)
    return out


def training(network, batch, labels):
    network.train()
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-6, momentum=0.9)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(scores(network, batch), labels).backward()
        optimizer.step()
    return step


def inference(network, batch):
    network.eval()

    def step():
        with torch.inference_mode():
            network(batch)
    return step


def usage():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime, now.ru_minflt, now.ru_stime


def measure(step, seconds):
    step()
    step()
    steps, begin = [], time.monotonic()
    while len(steps) < 3 or time.monotonic() - begin < seconds:
        clock, (work, faults, system) = time.monotonic(), usage()
        step()
        work_after, faults_after, system_after = usage()
        steps.append((work_after - work, time.monotonic() - clock, faults_after - faults, system_after - system))
    return steps


def resident(kind="VmRSS"):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(kind))


def main():
    case, mode, threads, seconds = sys.argv[1:5]
    torch.set_num_threads(int(threads))
    torch.manual_seed(0)
    imported = resident()
    network, batch, labels = case_of(case)
    if sys.argv[5:] == ["bf16"]:
        network = network.bfloat16()
        batch = batch.bfloat16() if batch.is_floating_point() else batch
    step = training(network, batch, labels) if mode == "train" else inference(network, batch)
    steps = measure(step, float(seconds))
    work, _, faults, system = min(steps)
    print(json.dumps({"case": case, "mode": mode, "threads": int(threads), "version": torch.__version__,
                      "step_cpu_seconds": work, "of_it_system": system, "step_seconds": min(s[1] for s in steps),
                      "steps": len(steps), "page_faults": faults, "peak_resident": resident("VmHWM"),
                      "after_import": imported,
                      "parameters": sum(p.numel() for p in network.parameters())}))


if __name__ == "__main__":
    main()
