#!/usr/bin/env python3
"""One PyTorch process: the median time of a training or inference step, by the clock and of the processor. Used by
peers.py and torch_eager.py.

usage: torch_step.py NETWORK BATCH THREADS train|inference SECONDS
                     contiguous|channels_last|compiled|compiled_channels_last [STEPS=3]

At least so many steps are timed, and for at least so many seconds.

What PyTorch has for speed is on: its oneDNN paths, the optimizer over all tensors at once, gradients set to none, and
for inference the inference mode and the traced, frozen and fused network where that is faster than the plain one.
Networks of tokens come from transformers, those of images from torchvision.
"""
import json
import os
import statistics
import sys
import time

THREADS = sys.argv[3] if len(sys.argv) > 3 else "1"
STEPS = int(sys.argv[7]) if len(sys.argv) > 7 else 3
os.environ["OMP_NUM_THREADS"] = THREADS  # read when the library is loaded
os.environ["OPENBLAS_NUM_THREADS"] = THREADS

import torch  # noqa: E402
from torch import nn  # noqa: E402


class Convergence(nn.Module):
    """The zoo's `convergence`: a stem and two residual blocks."""

    class Block(nn.Module):
        def __init__(self, channels, kernels, stride):
            super().__init__()
            self.one = nn.Conv2d(channels, kernels, 1, stride)
            self.two = nn.Conv2d(kernels, kernels, 3, padding=1)
            self.three = nn.Conv2d(kernels, 4 * kernels, 1)
            self.shortcut = nn.Conv2d(channels, 4 * kernels, 1, stride)

        def forward(self, x):
            y = self.three(torch.relu_(self.two(torch.relu_(self.one(x)))))
            return torch.relu_(y + self.shortcut(x))

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3), nn.ReLU(True), nn.MaxPool2d(3, 2),
                                    self.Block(64, 64, 1), self.Block(256, 128, 2), nn.AvgPool2d(2), nn.Flatten(),
                                    nn.Linear(2048, 10))

    def forward(self, x):
        return self.layers(x)


def fmnist_cnn():
    def stage(channels, kernels):
        return [nn.Conv2d(channels, kernels, 3, padding=1, bias=False), nn.BatchNorm2d(kernels), nn.ReLU(True),
                nn.MaxPool2d(2)]
    return nn.Sequential(*stage(1, 32), *stage(32, 64), nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(True),
                         nn.Linear(128, 10))


def lenet5():
    return nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(),
                         nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.Tanh(), nn.Linear(120, 84), nn.Tanh(),
                         nn.Linear(84, 10))


SMALL = {"convergence": (Convergence, (3, 32, 32), 10), "fmnist_cnn": (fmnist_cnn, (1, 28, 28), 10),
         "lenet5": (lenet5, (1, 28, 28), 10)}


TOKENS = {"gpt2": (1024, 50257), "bert_base": (512, 30522)}  # of a sample, and in the vocabulary


class Scores(nn.Module):
    """A network of transformers, seen as the zoo's: tokens in, scores out."""

    def __init__(self, name):
        super().__init__()
        import transformers
        if name == "gpt2":
            self.network = transformers.GPT2LMHeadModel(transformers.GPT2Config(use_cache=False))
        else:
            self.network = transformers.BertModel(transformers.BertConfig())

    def forward(self, tokens):
        answer = self.network(tokens)
        return answer.logits.flatten(0, 1) if hasattr(answer, "logits") else answer.pooler_output


def samples_of(name, shape, classes, batch):
    """Inputs and labels, made up."""
    if name not in TOKENS:
        return torch.randn(batch, *shape), torch.randint(0, classes, (batch,))
    length, words = TOKENS[name]
    tokens = torch.randint(0, words, (batch, length))
    return tokens, tokens.flatten() if name == "gpt2" else torch.randint(0, classes, (batch,))


def network_of(name):
    if name in TOKENS:
        return Scores(name), None, 768
    import torchvision
    if name in SMALL:
        make, shape, classes = SMALL[name]
        return make(), shape, classes
    if name == "googlenet_bn":
        return torchvision.models.googlenet(aux_logits=False, init_weights=False), (3, 224, 224), 1000
    return getattr(torchvision.models, name)(), (3, 224, 224), 1000


def training_step(network, images, labels):
    network.train()
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-6, momentum=0.9, foreach=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(network(images), labels).backward()
        optimizer.step()
    return step


def inference_step(network, images):
    def step():
        with torch.inference_mode():
            network(images)
    return step


def frozen(network, images):
    """Traced, batch norms folded, activations fused: what PyTorch offers for serving on a CPU."""
    with torch.no_grad():
        traced = torch.jit.freeze(torch.jit.trace(network, images))
        return torch.jit.optimize_for_inference(traced)


def median_times(step, seconds):
    """(by the clock, of the processor)"""
    for _ in range(3):
        step()
    times, begin = [], time.monotonic()
    while len(times) < STEPS or time.monotonic() - begin < seconds:
        start, had = time.monotonic(), time.process_time()
        step()
        times.append((time.monotonic() - start, time.process_time() - had))
    return tuple(statistics.median(each) for each in zip(*times))


def inference_times(network, images, seconds):
    """{way: times}: the plain network, and the frozen one where it can be made and run."""
    network.eval()
    times = {"plain": median_times(inference_step(network, images), seconds / 2)}
    try:
        times["frozen"] = median_times(inference_step(frozen(network, images), images), seconds / 2)
    except RuntimeError as problem:
        print(f"not frozen: {str(problem).splitlines()[-1]}", file=sys.stderr)
    return times


def main():
    name, batch, threads, mode, seconds, layout = sys.argv[1:7]
    torch.set_num_threads(int(threads))
    torch.manual_seed(0)
    network, shape, classes = network_of(name)
    images, labels = samples_of(name, shape, classes, int(batch))
    if layout.endswith("channels_last"):
        network = network.to(memory_format=torch.channels_last)
        images = images.contiguous(memory_format=torch.channels_last)
    if layout.startswith("compiled"):
        network = torch.compile(network)
    if mode == "train":
        times = {"plain": median_times(training_step(network, images, labels), float(seconds))}
    else:
        times = inference_times(network, images, float(seconds))
    way = min(times, key=lambda way: times[way][1 if threads == "1" else 0])  # waiting on several threads is no work
    step, processor = times[way]
    print(json.dumps({"step_seconds": step, "processor_seconds": processor, "way": way, "version": torch.__version__}))


if __name__ == "__main__":
    main()
