#!/usr/bin/env python3
"""Writes tests/data/training/language_*.json: what transformers makes of a few training steps of small networks.

Each file has the network's config.json, the losses of the steps, and digests of every gradient of the first, in
double precision. Start weights, tokens and labels follow from the formula of training_references.py; tensors go by our
names and in our layout, in which layers over sequences keep their weights as (in, out). Needs torch, torchvision and
transformers: a developer's tool.

    python3 tools/language_references.py [NAME …]
"""
import json
import sys

import numpy as np
import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from training_references import FOLDER, digest, start_numbers, uniform

STEPS = 4
RATE = 0.01
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 96}


def case(architecture, model_type, **keys):
    return {"architectures": [architecture], "model_type": model_type, **keys}


CASES = {
    "llama_10m": case("LlamaForCausalLM", "llama", hidden_size=320, num_hidden_layers=7, num_attention_heads=10,
                      num_key_value_heads=5, intermediate_size=832, vocab_size=4096, max_position_embeddings=256),
    "gpt2_3_layers": case("GPT2LMHeadModel", "gpt2", n_embd=64, n_layer=3, n_head=4, n_positions=64, vocab_size=256,
                          resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0),
    "mixtral": case("MixtralForCausalLM", "mixtral", num_key_value_heads=2, intermediate_size=48, num_local_experts=4,
                    num_experts_per_tok=2, **SMALL),
    "gemma2": case("Gemma2ForCausalLM", "gemma2", num_key_value_heads=2, head_dim=8, intermediate_size=48,
                   query_pre_attn_scalar=8, sliding_window=4, **SMALL),
    "qwen3": case("Qwen3ForCausalLM", "qwen3", num_key_value_heads=2, head_dim=8, intermediate_size=48,
                  tie_word_embeddings=True, **SMALL),
    "deepseek_v3": case("DeepseekV3ForCausalLM", "deepseek_v3", intermediate_size=48, moe_intermediate_size=24,
                        n_routed_experts=8, n_shared_experts=1, num_experts_per_tok=2, q_lora_rank=16, kv_lora_rank=12,
                        qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=6, first_k_dense_replace=1, n_group=2,
                        topk_group=1, num_key_value_heads=4, **SMALL),
    "gpt_oss": case("GptOssForCausalLM", "gpt_oss", num_key_value_heads=2, head_dim=8, intermediate_size=24,
                    num_local_experts=4, num_experts_per_tok=2, sliding_window=4,
                    rope_parameters={"rope_type": "default", "rope_theta": 150000.0}, **SMALL),
    "phi": case("PhiForCausalLM", "phi", intermediate_size=48, **SMALL),
    "bloom": case("BloomForCausalLM", "bloom", hidden_size=32, n_layer=2, n_head=4, vocab_size=96),
    "mamba": case("MambaForCausalLM", "mamba", hidden_size=32, num_hidden_layers=2, vocab_size=96, state_size=4,
                  time_step_rank=4),
    "bert": case("BertForMaskedLM", "bert", intermediate_size=48, max_position_embeddings=64, pad_token_id=None,
                 hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, **SMALL),
    "lfm2": case("Lfm2ForCausalLM", "lfm2", num_key_value_heads=2, intermediate_size=48, block_multiple_of=8,
                 full_attn_idxs=[1], **SMALL),
    "falcon_h1": case("FalconH1ForCausalLM", "falcon_h1", num_key_value_heads=2, intermediate_size=48, mamba_d_ssm=32,
                      mamba_n_heads=4, mamba_d_head=8, mamba_d_state=4, mamba_chunk_size=4, mamba_rms_norm=True,
                      key_multiplier=0.5, ssm_multipliers=[0.5, 0.75, 1.25, 1.5, 0.9], mlp_multipliers=[0.8, 1.2],
                      attention_out_multiplier=0.7, ssm_out_multiplier=1.1, embedding_multiplier=2.0,
                      lm_head_multiplier=0.5, **SMALL),
    "lfm2_moe": case("Lfm2MoeForCausalLM", "lfm2_moe", num_key_value_heads=2, intermediate_size=48,
                     moe_intermediate_size=24, num_experts=4, num_experts_per_tok=2, num_dense_layers=1,
                     layer_types=["conv", "full_attention"], **SMALL),
    "minimax": case("MiniMaxForCausalLM", "minimax", num_key_value_heads=2, intermediate_size=48, num_local_experts=4,
                    num_experts_per_tok=2, layer_types=["linear_attention", "full_attention"], block_size=4,
                    full_attn_alpha_factor=1.5, full_attn_beta_factor=0.8, linear_attn_alpha_factor=1.2,
                    linear_attn_beta_factor=0.9, mlp_alpha_factor=1.4, mlp_beta_factor=0.7, **SMALL),
    "mpt": case("MptForCausalLM", "mpt", d_model=32, n_layers=2, n_heads=4, vocab_size=96, max_seq_len=64),
    "umt5": case("UMT5ForConditionalGeneration", "umt5", d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
                 vocab_size=96, dropout_rate=0.0),
    "t5": case("T5ForConditionalGeneration", "t5", d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
               vocab_size=96, dropout_rate=0.0),
}
NOT_TURNED = ("embed", "wte", "wpe", "lm_head", "shared.weight", "c_attn", "c_proj", "c_fc", "relative_attention_bias")


def parted(array, heads, ours):
    """BLOOM stores queries, keys and values head by head; we store all queries, then all keys, then all values."""
    parts = (heads, 3) if ours else (3, heads)
    return np.swapaxes(array.reshape(*array.shape[:-1], *parts, -1), -3, -2).reshape(array.shape)


def in_our_layout(name, array, config, ours=True):
    """Ours from PyTorch's, or with `ours` False the other way round."""
    if "query_key_value" in name:
        turned = array.T if ours and array.ndim == 2 else array
        turned = parted(turned, config["n_head"], ours)
        return turned if ours or array.ndim == 1 else turned.T
    if array.ndim == 2 and name.endswith("weight") and not any(part in name for part in NOT_TURNED):
        return array.T
    if array.ndim == 3 and ".experts." in name and config["model_type"] != "gpt_oss":
        return np.swapaxes(array, 1, 2)
    return array


def is_shifted(name, config):
    """Gemma stores the scales of its norms less 1."""
    return config["model_type"].startswith("gemma") and "norm" in name


@torch.no_grad()
def start(network, config):
    for name, parameter in network.named_parameters():
        numbers = start_numbers(name, in_our_layout(name, parameter.numpy(), config).shape).astype(np.float64)
        numbers = in_our_layout(name, numbers, config, ours=False) - (1 if is_shifted(name, config) else 0)
        parameter.copy_(torch.from_numpy(np.ascontiguousarray(numbers)))


def numbers_below(what, step, batch, tokens, most):
    count = batch * tokens
    return torch.from_numpy(np.floor(most * uniform(what, step * count, count)).astype(np.int64).reshape(batch, tokens))


def reference(config, batch, tokens):
    settings = CONFIG_MAPPING[config["model_type"]].from_dict(dict(config))
    settings._attn_implementation = settings._experts_implementation = "eager"
    network = getattr(transformers, config["architectures"][0])(settings).double().train()
    start(network, config)
    words = settings.vocab_size
    rule = torch.optim.SGD(network.parameters(), lr=RATE)
    losses, gradients = [], {}
    for step in range(STEPS):
        inputs = {"input_ids": numbers_below("tokens", step, batch, tokens, words)}
        if settings.is_encoder_decoder:
            inputs["decoder_input_ids"] = numbers_below("decoder tokens", step, batch, tokens, words)
        labels = numbers_below("labels", step, batch, tokens, words)
        logits = network(**inputs, use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, words).double(), labels.reshape(-1))
        rule.zero_grad()
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            for name, parameter in network.named_parameters():
                gradients[name] = digest(in_our_layout(name, parameter.grad.numpy(), config), ("probe 1", "probe 2"))
        rule.step()
    return {"config": config, "batch": batch, "sequence": tokens, "optimizer": "sgd", "learning_rate": RATE,
            "losses": losses, "gradients": gradients}


def main():
    for name, config in CASES.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        text = json.dumps(reference(config, 2, 12), indent=1)
        (FOLDER / f"language_{name}.json").write_text(text + "\n")
        print(name, json.loads(text)["losses"])


if __name__ == "__main__":
    main()
