#!/usr/bin/env python3
"""Text token by token: Plimsoll's `predict --prompt` of a run beside transformers.

usage: decoding.py PLIMSOLL RUN CONFIG.json [--python PYTHON] [--first 40] [--tokens 240] [--rounds 3]

RUN is the folder of a training of CONFIG.json, which has GPT-2's form; PYTHON has transformers. Both write greedily, on
one thread, in turn, with keys and values kept. What is compared is the time of the processor, so that a busy machine
counts little, for the tokens after the first ones, so that loading does not count. Each token reads all weights, in
f32, so what limits it is how fast one core reads: that rate is printed too.
"""
import argparse
import json
import os
import resource
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def had_by_children():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # the system's part is memory being handed out


class Decoding:
    def __init__(self, arguments):
        self.arguments = arguments
        self.version, self.numbers = "", 0

    def writing(self, tokens):
        """Seconds of a process that writes so many."""
        before = had_by_children()
        written = output([self.arguments.program, "predict", self.arguments.run, "--prompt", "The ship", "--tokens",
                          str(tokens), "--temperature", "0", "--threads", "1", "--json"])["written"]["tokens"]
        if written != tokens:
            sys.exit(f"the text ended after {written} of {tokens} tokens")
        return had_by_children() - before

    def theirs(self):
        """Seconds a token."""
        told = output([self.arguments.python, "-B", os.path.join(HERE, "decoding_step.py"), self.arguments.config,
                       str(self.arguments.first), str(self.arguments.tokens)])
        self.version, self.numbers = told["version"], told["numbers"]
        return told["token_seconds"]

    def measure(self):
        """Seconds a token, ours and theirs: of the least of all rounds, as others can only lengthen them."""
        first, tokens = self.arguments.first, self.arguments.tokens
        rounds = [(self.writing(first), self.writing(tokens), self.theirs()) for _ in range(self.arguments.rounds)]
        few, many, theirs = (min(each) for each in zip(*rounds))
        return (many - few) / (tokens - first), theirs


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("run")
    parser.add_argument("config")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--first", type=int, default=40, help="tokens that are taken off")
    parser.add_argument("--tokens", type=int, default=240, help="with the prompt no more than RUN's sequence")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if not 0 < arguments.first < arguments.tokens:
        parser.error(f"--first {arguments.first}: expected fewer than --tokens {arguments.tokens}")
    return arguments


def main():
    decoding = Decoding(parsed())
    ours, theirs = decoding.measure()
    rate = 4 * decoding.numbers / 1e9
    print(f"Plimsoll      {1 / ours:7.1f} tokens/s, {rate / ours:.1f} GB/s of weights\n"
          f"transformers  {1 / theirs:7.1f} tokens/s, {rate / theirs:.1f} GB/s ({decoding.version})\n"
          f"times as fast {theirs / ours:7.2f}")


if __name__ == "__main__":
    main()
