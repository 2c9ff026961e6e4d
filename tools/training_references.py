#!/usr/bin/env python3
"""Writes tests/data/training/*.json: what PyTorch makes of ten training steps, for our engine to be held against.

Each file has the losses of ten steps, digests of every gradient of the first, and the running statistics after it, in
double precision. Start weights, images and labels follow from a formula that tests/training_reference.h has as well, so
nothing large is stored. Networks are torchvision's where it has them, with dropout off; tensors go by our names and in
our layout. LARS and LAMB are computed from the papers' formulas. Needs torch and torchvision: a developer's tool.

    /usr/bin/python3 tools/training_references.py [NAME …]
"""
import json
import math
import pathlib
import sys

import numpy as np
import torch
import torchvision

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "data" / "training"
STEPS = 10
CHUNK = 1 << 22


def scatter_bits(x):
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def name_key(name):
    key = 0xCBF29CE484222325
    for letter in name.encode():
        key = (key ^ letter) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return scatter_bits(np.array([key], np.uint64))[0]


def uniform(name, first, count):
    """Numbers in [0, 1) by the tensor's name and their places."""
    out = np.empty(count)
    key = name_key(name)
    for at in range(0, count, CHUNK):
        places = np.arange(first + at, first + min(at + CHUNK, count), dtype=np.uint64)
        out[at:at + CHUNK] = (scatter_bits(places ^ key) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return out


def start_numbers(name, shape, is_norm=False):
    """As f32, which is what our engine starts from. Norms start with most of what follows them above 0: deep networks
    of norms and ReLUs with half of it below multiply rounding by a thousand from one end to the other."""
    count = math.prod(shape)
    spread = 2 * uniform(name, 0, count) - 1
    if len(shape) > 1:
        spread *= math.sqrt(6 * shape[0] / count)
    else:
        spread = 0.2 * spread + (1 if name.endswith(".weight") else 1.5 if is_norm else 0)
    return spread.astype(np.float32).reshape(shape)


class LeNet5(torch.nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = torch.nn.Conv2d(6, 16, 5)
        self.fc1 = torch.nn.Linear(400, 120)
        self.fc2 = torch.nn.Linear(120, 84)
        self.fc3 = torch.nn.Linear(84, num_classes)

    def forward(self, x):
        x = torch.nn.functional.avg_pool2d(torch.tanh(self.conv1(x)), 2)
        x = torch.nn.functional.avg_pool2d(torch.tanh(self.conv2(x)), 2)
        x = torch.tanh(self.fc1(torch.flatten(x, 1)))
        return self.fc3(torch.tanh(self.fc2(x)))


def googlenet(num_classes):
    return torchvision.models.googlenet(num_classes=num_classes, aux_logits=False, init_weights=False)


def vit_b_16(num_classes):
    return torchvision.models.vit_b_16(num_classes=num_classes, image_size=32)


class Lars(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=0.0, trust_coefficient=0.001):
        super().__init__(params, {})
        self.rule = lr, momentum, weight_decay, trust_coefficient

    @torch.no_grad()
    def step(self):
        lr, momentum, decay, trust = self.rule
        for w in self.param_groups[0]["params"]:
            m = self.state[w].setdefault("m", torch.zeros_like(w))
            local = trust * w.norm() / (w.grad.norm() + decay * w.norm()) if w.norm() > 0 and w.grad.norm() > 0 else 1
            m.mul_(momentum).add_(lr * local * (w.grad + decay * w))
            w.sub_(m)


class Lamb(torch.optim.Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01):
        super().__init__(params, {})
        self.rule, self.t = (lr, betas, eps, weight_decay), 0

    @torch.no_grad()
    def step(self):
        lr, (b1, b2), eps, decay = self.rule
        self.t += 1
        for w in self.param_groups[0]["params"]:
            m = self.state[w].setdefault("m", torch.zeros_like(w))
            v = self.state[w].setdefault("v", torch.zeros_like(w))
            m.mul_(b1).add_(w.grad, alpha=1 - b1)
            v.mul_(b2).add_(w.grad**2, alpha=1 - b2)
            r = (m / (1 - b1**self.t)) / ((v / (1 - b2**self.t)).sqrt() + eps) + decay * w
            w.sub_(lr * w.norm() / r.norm() * r if w.norm() > 0 and r.norm() > 0 else lr * r)


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {})
        self.rule = lr, betas, weight_decay

    @torch.no_grad()
    def step(self):
        lr, (b1, b2), decay = self.rule
        for w in self.param_groups[0]["params"]:
            m = self.state[w].setdefault("m", torch.zeros_like(w))
            w.sub_(lr * (torch.sign(b1 * m + (1 - b1) * w.grad) + decay * w))
            m.mul_(b2).add_(w.grad, alpha=1 - b2)


SGD, models = torch.optim.SGD, torchvision.models
SMALL = ("lenet5", LeNet5, [1, 28, 28], 8)
# A ReLU or a maximum that last bits tip over changes gradients by far more than 1e-4, in PyTorch's own f32 too, so the
# settings keep away from that: low rates, and batches at which PyTorch in f32 agrees with double. Sizes and rates were
# also changed where our engine was tipped over: AlexNet's rate (from 1e-3), GoogLeNet's input and batch (after 64x64
# with 4, 6 and 8, and 48x48 with 4 and 6) and its rate (from 1e-4, where weights moved by 2e-7 tipped it over).
# file, our model, PyTorch's, input, batch, our optimizer and settings, learning rate, PyTorch's optimizer
CASES = [
    ("lenet5", *SMALL, "sgd", {}, 0.05, SGD),
    ("alexnet", "alexnet", models.alexnet, [3, 64, 64], 4, "sgd", {}, 1e-4, SGD),
    ("vgg11", "vgg11", models.vgg11, [3, 32, 32], 4, "sgd", {}, 1e-4, SGD),
    ("googlenet_bn", "googlenet_bn", googlenet, [3, 48, 48], 8, "sgd", {}, 3e-5, SGD),
    ("resnet18", "resnet18", models.resnet18, [3, 64, 64], 8, "sgd", {}, 1e-3, SGD),
    ("densenet121", "densenet121", models.densenet121, [3, 64, 64], 4, "sgd", {}, 1e-4, SGD),
    ("mobilenet_v2", "mobilenet_v2", models.mobilenet_v2, [3, 64, 64], 4, "sgd", {}, 1e-3, SGD),
    ("vit_b_16", "vit_b_16", vit_b_16, [3, 32, 32], 2, "sgd", {}, 1e-3, SGD),
    ("convnext_tiny", "convnext_tiny", models.convnext_tiny, [3, 32, 32], 2, "sgd", {}, 1e-4, SGD),
    ("swin_t", "swin_t", models.swin_t, [3, 32, 32], 2, "sgd", {}, 1e-4, SGD),
    ("optimizer_sgd", *SMALL, "sgd", {"weight_decay": 0.01}, 0.05, lambda p, lr: SGD(p, lr, weight_decay=0.01)),
    ("optimizer_momentum", *SMALL, "momentum", {}, 0.02, lambda p, lr: SGD(p, lr, 0.9)),
    ("optimizer_nesterov", *SMALL, "nesterov", {}, 0.02, lambda p, lr: SGD(p, lr, 0.9, nesterov=True)),
    ("optimizer_rmsprop", *SMALL, "rmsprop", {}, 1e-3, torch.optim.RMSprop),
    ("optimizer_adam", *SMALL, "adam", {}, 1e-3, torch.optim.Adam),
    ("optimizer_adamw", *SMALL, "adamw", {}, 1e-3, torch.optim.AdamW),
    ("optimizer_lars", *SMALL, "lars", {"weight_decay": 0.01}, 1.0, lambda p, lr: Lars(p, lr, weight_decay=0.01)),
    ("optimizer_lamb", *SMALL, "lamb", {}, 0.01, Lamb),
    ("optimizer_lion", *SMALL, "lion", {}, 1e-4, Lion),
]
CLASSES = 10


def our_name(name):
    return name.replace("in_proj_", "in_proj.")


def is_turned(name):
    """Layers over sequences keep their weights as (in, out)."""
    parts = ("self_attention", ".mlp.", ".attn.", ".reduction.", ".block.3.", ".block.5.")
    return name.endswith("weight") and any(part in name for part in parts)


def ours(name, tensor):
    """A tensor of PyTorch's in our layout."""
    array = tensor.detach().numpy()
    return array.T if is_turned(name) else array


@torch.no_grad()
def start(network):
    for module in network.modules():
        if isinstance(module, (torch.nn.Dropout, torchvision.ops.StochasticDepth)):
            module.p = 0.0
    parameters = dict(network.named_parameters())
    for name, parameter in parameters.items():
        shape = ours(name, parameter).shape
        weight = parameters.get(name[:-len("bias")] + "weight") if name.endswith(".bias") else None
        is_norm = weight is not None and weight.dim() == 1
        numbers = start_numbers(our_name(name), shape, is_norm).astype(np.float64)
        parameter.copy_(torch.from_numpy(np.ascontiguousarray(numbers.T if is_turned(name) else numbers)))


def digest(array, probes):
    flat = np.ascontiguousarray(array).ravel()
    return [float(np.linalg.norm(flat)), float(flat.sum())] + [
        float(flat @ (2 * uniform(probe, 0, flat.size) - 1)) for probe in probes]


def batch_of(shape, batch, step):
    """Each channel of each image a plane of its own slope with a little noise: noise alone is alike in all images, and
    norms over a batch would then divide by next to nothing."""
    channels, height, width = shape
    places = batch * channels
    slopes = (2 * uniform("slopes", step * places * 3, places * 3) - 1).reshape(batch, channels, 3, 1, 1)
    rows = (np.arange(height) / height).reshape(1, 1, height, 1)
    columns = (np.arange(width) / width).reshape(1, 1, 1, width)
    count = batch * math.prod(shape)
    noise = (2 * uniform("noise", step * count, count) - 1).reshape(batch, *shape)
    images = slopes[:, :, 0] + slopes[:, :, 1] * rows + slopes[:, :, 2] * columns + 0.25 * noise
    labels = np.floor(CLASSES * uniform("labels", step * batch, batch)).astype(np.int64)
    return torch.from_numpy(images.astype(np.float32).astype(np.float64)), torch.from_numpy(labels)


def reference(model, build, shape, batch, optimizer, settings, rate, make):
    network = build(num_classes=CLASSES).double()
    start(network)
    network.train()
    rule = make(list(network.parameters()), lr=rate)
    losses, gradients, buffers = [], {}, {}
    for step in range(STEPS):
        images, labels = batch_of(shape, batch, step)
        loss = torch.nn.functional.cross_entropy(network(images), labels)
        network.zero_grad()
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            gradients = {our_name(name): digest(ours(name, parameter.grad), ["probe 1", "probe 2"])
                         for name, parameter in network.named_parameters()}
            buffers = {name: digest(buffer.numpy(), [])
                       for name, buffer in network.named_buffers() if "running" in name}
        rule.step()
    return {"model": model, "input": shape, "classes": CLASSES, "batch": batch, "optimizer": optimizer,
            "settings": settings, "learning_rate": rate, "torch": torch.__version__, "losses": losses,
            "gradients": gradients, "buffers": buffers}


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return {key: rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


def text_of(document):
    """One line a tensor, so that files are small and differences can be read."""
    def block(entries):
        lines = [f"    {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in entries.items()]
        return "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    lines = [f"  {json.dumps(key)}: " + (block(value) if key in ("gradients", "buffers") else json.dumps(value))
             for key, value in rounded(document).items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.seterr(over="ignore")
    for name, *case in CASES:
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        document = reference(*case)
        (FOLDER / f"{name}.json").write_text(text_of(document))
        print(f"{name}: {document['losses'][0]:.4f} … {document['losses'][-1]:.4f}", flush=True)


if __name__ == "__main__":
    main()
