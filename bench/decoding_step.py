#!/usr/bin/env python3
"""One transformers process that writes text token by token on one thread: the processor's seconds a token. Used by
decoding.py.

usage: decoding_step.py CONFIG.json FIRST TOKENS

The network is a GPT-2 of the configuration's sizes with made-up weights; keys and values are kept. A token's time is
that of TOKENS less that of FIRST, so the prompt does not count.
"""
import json
import os
import resource
import sys

os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded

import torch  # noqa: E402
import transformers  # noqa: E402


def processor_seconds(work):
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start


def main():
    first, tokens = int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    network = transformers.GPT2LMHeadModel(transformers.GPT2Config.from_json_file(sys.argv[1])).eval()
    prompt = torch.arange(8).unsqueeze(0)

    def write(count):
        with torch.inference_mode():
            network.generate(prompt, min_new_tokens=count, max_new_tokens=count, do_sample=False, use_cache=True,
                             pad_token_id=0, eos_token_id=None)

    write(4)
    few, many = (processor_seconds(lambda count=count: write(count)) for count in (first, tokens))
    print(json.dumps({"token_seconds": (many - few) / (tokens - first),
                      "numbers": sum(each.numel() for each in network.parameters()),
                      "version": f"{transformers.__version__}, PyTorch {torch.__version__}"}))


if __name__ == "__main__":
    main()
