#!/usr/bin/env python3
"""Writes tests/data/tokenizers/*.json: what Hugging Face's tokenizers make of a few texts.

Each file has a tokenizer.json with a small vocabulary, cut into words as GPT-2, Llama 3 or Qwen do it, and the tokens
of each text. Needs tokenizers: a developer's tool.

    python3 tools/tokenizer_references.py
"""
import json
import pathlib

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "tokenizers"
START = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
END = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PATTERNS = {"gpt2": None, "llama3": START + r"\p{N}{1,3}" + END, "qwen2": START + r"\p{N}" + END}
TEXTS = [
    "In the beginning God created the heaven and the earth.",
    "It's  what they'll do; we'RE sure you've  SEEN 12345 of 1,000,000 - isn't it?",
    "  two spaces,\ttabs\t\tand\n\nlines \n  \r\n end   ",
    "naïve Ünïcödé façade — “quotes” … 東京タワー と मुंबई ½ ² Ⅷ ٣٤٥",
    "emoji 👩‍👩‍👧 and\u00a0no-break\u2003space\u3000wide 'S 'quoted' ''d",
    "def f(x):\n    return x**2  # comment\n\n\nclass A_b: pass\n",
    "a" * 40 + " " * 9 + "!?!?!?\n\n",
    "",
]


def learn(name, pattern):
    tokenizer = Tokenizer(models.BPE())
    if pattern is None:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(pattern), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    if name == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=380, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  show_progress=False)
    tokenizer.train_from_iterator(TEXTS * 2, trainer)
    tokenizer.add_special_tokens([AddedToken("<|endoftext|>", special=True)])
    return tokenizer


FOLDER.mkdir(parents=True, exist_ok=True)
for name, pattern in PATTERNS.items():
    tokenizer = learn(name, pattern)
    document = {"tokenizer": json.loads(tokenizer.to_str()),
                "cases": [{"text": text, "tokens": tokenizer.encode(text).ids} for text in TEXTS]}
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(document, ensure_ascii=True, separators=(",", ":")) + "\n")
