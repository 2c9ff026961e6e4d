"""Models and configs of transformers: planned from the config where the family is known, else exported."""
import time

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("onnxscript")

import plimsoll as pl  # noqa: E402
from plimsoll import torch_export  # noqa: E402

TOKENS = {"input_ids": torch.zeros((1, 64), dtype=torch.long)}


@pytest.fixture
def no_export(monkeypatch):
    def export(*_):
        raise AssertionError("it was exported")
    monkeypatch.setattr(torch_export, "exported", export)


def small_llama(**more):
    return transformers.LlamaConfig(num_hidden_layers=2, hidden_size=64, intermediate_size=128, vocab_size=1000,
                                    num_attention_heads=4, num_key_value_heads=2, **more)


def on_meta(kind, config):
    with torch.device("meta"):
        return kind(config)


def test_eight_billion_parameters_in_seconds(no_export):
    config = transformers.LlamaConfig(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                                      num_attention_heads=32, num_key_value_heads=8, vocab_size=128256)
    model = on_meta(transformers.LlamaForCausalLM, config)
    start = time.process_time()
    weight = pl.weigh(model, {"input_ids": (1, 4096)})
    assert weight.params == sum(parameter.numel() for parameter in model.parameters()) > 8e9
    assert time.process_time() - start < 10
    assert weight.model == "LlamaForCausalLM"


def test_the_example_says_how_many_tokens(no_export):
    model = on_meta(transformers.LlamaForCausalLM, small_llama())
    short, long = (pl.weigh(model, {"input_ids": (1, tokens)}).macs for tokens in (64, 128))
    assert long > 1.9 * short
    assert pl.weigh(model, {"input_ids": (1, 64)}, sequence=128).macs == long  # what is asked goes first


def test_a_config_is_a_model(no_export):
    config = small_llama()
    expected = sum(parameter.numel() for parameter in on_meta(transformers.LlamaForCausalLM, config).parameters())
    assert pl.weigh(config).params == expected
    assert pl.weigh(config, TOKENS).macs < pl.weigh(config, {"input_ids": (1, 128)}).macs
    assert pl.fit(config, device="nvidia-t4", brief=True, sequence=64).fits


def test_a_config_and_a_model_are_planned_as_their_file_is(no_export, tmp_path):
    config = small_llama(architectures=["LlamaForCausalLM"])
    config.save_pretrained(tmp_path)
    question = {"device": "nvidia-t4", "sequence": 64, "method": "lora:8", "batch": 4, "dtype": "bf16", "brief": True,
                "attention": "sdpa"}
    file = pl.fit(tmp_path / "config.json", **question)
    assert type(file).__name__ == "TokenFit" and file.trainable_params < file.params
    for model in (config, on_meta(transformers.LlamaForCausalLM, config)):
        mine = pl.fit(model, **question)
        assert (type(mine), mine.needed_bytes, mine.trainable_params) == \
            (type(file), file.needed_bytes, file.trainable_params)


def test_a_model_says_how_it_computes_attention(no_export):
    question = {"memory": "100GiB", "framework": "pytorch", "batch": 2}
    shared = on_meta(transformers.LlamaForCausalLM, small_llama())
    if hasattr(transformers.integrations.sdpa_attention, "use_gqa_in_sdpa"):
        kept = pl.fit(shared, TOKENS, **question).kept_bytes
        # Written out for each of four heads of 16, keys and values of two layers take twice as much.
        assert pl.fit(shared, TOKENS, attention="sdpa", **question).kept_bytes - kept == 2 * 2 * 2 * 64 * 32 * 4
    config = small_llama()
    config._attn_implementation = "eager"
    single = on_meta(transformers.LlamaForCausalLM, config)
    assert pl.fit(single, TOKENS, **question).attention == "eager"
    assert pl.fit(single, TOKENS, attention="sdpa", **question).attention == "sdpa"  # what is asked goes first


def test_half_precision_is_the_models(no_export):
    model = on_meta(transformers.LlamaForCausalLM, small_llama()).to(torch.bfloat16)
    assert pl.weigh(model, TOKENS).dtype == "bf16"


class WithHead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = transformers.LlamaModel(small_llama())
        self.head = torch.nn.Linear(64, 3)

    def forward(self, input_ids):
        return self.head(self.body(input_ids=input_ids, use_cache=False).last_hidden_state[:, -1])


def test_what_is_no_model_of_transformers_is_exported():
    with torch.device("meta"):
        module = WithHead()
    weight = pl.weigh(module, {"input_ids": TOKENS["input_ids"]})
    assert weight.params == sum(parameter.numel() for parameter in module.parameters())


class Extended(transformers.LlamaForCausalLM):
    def __init__(self, config):
        super().__init__(config)
        self.more = torch.nn.Linear(64, 64)

    def forward(self, input_ids):
        return self.lm_head(self.more(self.model(input_ids=input_ids, use_cache=False).last_hidden_state))


def test_a_model_that_is_more_than_its_config_is_exported():
    module = on_meta(Extended, small_llama())
    assert pl.weigh(module, TOKENS).params == sum(parameter.numel() for parameter in module.parameters())


def test_an_example_of_sound_is_no_number_of_tokens():
    config = transformers.Wav2Vec2Config(num_hidden_layers=1, hidden_size=64, intermediate_size=128, vocab_size=32,
                                         num_attention_heads=4, layerdrop=0.0, apply_spec_augment=False)
    model = transformers.Wav2Vec2ForCTC(config)
    one, two = (pl.weigh(model, (1, 16_000 * seconds)) for seconds in (1, 2))
    assert one.params == sum(parameter.numel() for parameter in model.parameters())
    assert 0.9 < two.macs / (2 * one.macs) < 1.1 and one.macs < 3e9
