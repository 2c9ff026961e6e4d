#!/usr/bin/env python3
"""Writes tests/data/optimizers/steps.csv: five steps of each optimizer on a small tensor, in double precision.

SGD, momentum, Nesterov, Adam, AdamW and RMSprop are PyTorch's own; LARS (You et al. 2017, algorithm 1), LAMB (You et
al. 2020, algorithm 2) and Lion (Chen et al. 2023, algorithm 2) are computed here from the papers' formulas. Needs
PyTorch: a developer's tool.
"""
import csv
import pathlib

import numpy as np
import torch

RATE, STEPS, SIZE = 0.0625, 5, 6

CASES = [  # our name, settings, PyTorch's optimizer, its arguments, its names of the states
    ("sgd", {}, torch.optim.SGD, {}, []),
    ("sgd", {"weight_decay": 0.1}, torch.optim.SGD, {"weight_decay": 0.1}, []),
    ("momentum", {}, torch.optim.SGD, {"momentum": 0.9}, ["momentum_buffer"]),
    ("momentum", {"momentum": 0.5, "dampening": 0.25, "weight_decay": 0.1}, torch.optim.SGD,
     {"momentum": 0.5, "dampening": 0.25, "weight_decay": 0.1}, ["momentum_buffer"]),
    ("nesterov", {}, torch.optim.SGD, {"momentum": 0.9, "nesterov": True}, ["momentum_buffer"]),
    ("nesterov", {"momentum": 0.5, "weight_decay": 0.1}, torch.optim.SGD,
     {"momentum": 0.5, "nesterov": True, "weight_decay": 0.1}, ["momentum_buffer"]),
    ("adam", {}, torch.optim.Adam, {}, ["exp_avg", "exp_avg_sq"]),
    ("adam", {"beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3, "weight_decay": 0.1}, torch.optim.Adam,
     {"betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1}, ["exp_avg", "exp_avg_sq"]),
    ("adamw", {}, torch.optim.AdamW, {}, ["exp_avg", "exp_avg_sq"]),
    ("adamw", {"beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3, "weight_decay": 0.3}, torch.optim.AdamW,
     {"betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.3}, ["exp_avg", "exp_avg_sq"]),
    ("rmsprop", {}, torch.optim.RMSprop, {}, ["square_avg"]),
    ("rmsprop", {"alpha": 0.9, "epsilon": 1e-3, "weight_decay": 0.1}, torch.optim.RMSprop,
     {"alpha": 0.9, "eps": 1e-3, "weight_decay": 0.1}, ["square_avg"]),
]


def torch_steps(optimizer, arguments, states, start, gradients):
    w = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    rule = optimizer([w], lr=RATE, **arguments)
    for g in gradients:
        w.grad = torch.tensor(g, dtype=torch.float64)
        rule.step()
        yield w.detach().numpy().copy(), [rule.state[w][name].numpy().copy() for name in states]


def lars_steps(settings, start, gradients):
    mu, beta = settings.get("momentum", 0.9), settings.get("weight_decay", 0.0)
    eta = settings.get("trust_coefficient", 0.001)
    w, v = start.copy(), np.zeros_like(start)
    for g in gradients:
        bottom = np.linalg.norm(g) + beta * np.linalg.norm(w)
        local = eta * np.linalg.norm(w) / bottom if np.linalg.norm(w) > 0 and np.linalg.norm(g) > 0 else 1.0
        v = mu * v + RATE * local * (g + beta * w)
        w = w - v
        yield w.copy(), [v.copy()]


def lamb_steps(settings, start, gradients):
    b1, b2 = settings.get("beta1", 0.9), settings.get("beta2", 0.999)
    eps, decay = settings.get("epsilon", 1e-6), settings.get("weight_decay", 0.01)
    x, m, v = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for t, g in enumerate(gradients, 1):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g ** 2
        r = (m / (1 - b1 ** t)) / (np.sqrt(v / (1 - b2 ** t)) + eps) + decay * x
        a, b = np.linalg.norm(x), np.linalg.norm(r)
        x = x - RATE * (a / b if a > 0 and b > 0 else 1.0) * r
        yield x.copy(), [m.copy(), v.copy()]


def lion_steps(settings, start, gradients):
    b1, b2 = settings.get("beta1", 0.9), settings.get("beta2", 0.99)
    decay = settings.get("weight_decay", 0.0)
    w, m = start.copy(), np.zeros_like(start)
    for g in gradients:
        w = w - RATE * (np.sign(b1 * m + (1 - b1) * g) + decay * w)
        m = b2 * m + (1 - b2) * g
        yield w.copy(), [m.copy()]


def all_cases(start, gradients):
    for name, settings, optimizer, arguments, states in CASES:
        yield name, settings, start, torch_steps(optimizer, arguments, states, start, gradients)
    zero = np.zeros_like(start)
    for settings in ({}, {"momentum": 0.5, "weight_decay": 0.1, "trust_coefficient": 0.02}):
        yield "lars", settings, start, lars_steps(settings, start, gradients)
    yield "lars", {"momentum": 0.8}, zero, lars_steps({"momentum": 0.8}, zero, gradients)
    for settings in ({}, {"beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3, "weight_decay": 0.1}):
        yield "lamb", settings, start, lamb_steps(settings, start, gradients)
    yield "lamb", {"weight_decay": 0.0}, zero, lamb_steps({"weight_decay": 0.0}, zero, gradients)
    for settings in ({}, {"beta1": 0.8, "beta2": 0.95, "weight_decay": 0.3}):
        yield "lion", settings, start, lion_steps(settings, start, gradients)


def main():
    random = np.random.default_rng(5)
    start = random.normal(size=SIZE).astype(np.float32).astype(np.float64)
    gradients = random.normal(size=(STEPS, SIZE)).astype(np.float32).astype(np.float64)
    target = pathlib.Path(__file__).parent.parent / "tests/data/optimizers/steps.csv"
    target.parent.mkdir(exist_ok=True)
    with target.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["optimizer", "settings", "learning_rate", "step", "place", "before", "gradient", "parameter",
                      "state0", "state1"])
        for name, settings, before, steps in all_cases(start, gradients):
            text = ";".join(f"{key}={value!r}" for key, value in settings.items())
            for step, (w, states) in enumerate(steps, 1):
                for i in range(SIZE):
                    kept = [repr(float(state[i])) for state in states]
                    numbers = [repr(float(x[i])) for x in (before, gradients[step - 1], w)]
                    out.writerow([name, text, RATE, step, i, *numbers, *(kept + ["", ""])[:2]])
                before = w


if __name__ == "__main__":
    main()
