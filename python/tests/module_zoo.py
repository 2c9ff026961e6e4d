"""Modules of torchvision, timm and transformers, each with an example: as configured, with random or no weights.

MODULES are the dozen of the tests; ALL_MODULES are those of `make python-sweep`."""
from typing import Any, Callable, Dict, Tuple

IMAGE = (1, 3, 224, 224)
Maker = Callable[[], Tuple[Any, Any]]


_DROPOUTS = ("hidden_dropout_prob", "attention_probs_dropout_prob", "attention_dropout", "dropout",
             "activation_dropout", "resid_pdrop", "embd_pdrop", "attn_pdrop", "hidden_dropout")


def _transformer(kind: str, tokens: int = 64, **sizes: Any) -> Maker:
    def make() -> Tuple[Any, Any]:
        import torch
        import transformers
        config = getattr(transformers, kind + "Config")(**sizes)
        for name in _DROPOUTS:  # with it torch's CPU has no fused attention, as its GPUs have
            if hasattr(config, name):
                setattr(config, name, 0.0)
        if hasattr(config, "use_cache"):
            config.use_cache = False  # keys and values of earlier tokens: a training has none
        heads = ("ForMaskedLM", "ForCausalLM", "LMHeadModel")
        head = next(name for name in heads if hasattr(transformers, kind + name))
        model = getattr(transformers, kind + head)(config)
        return model.train(), {"input_ids": torch.zeros((1, tokens), dtype=torch.long)}
    return make


def _vision(name: str, **options: Any) -> Maker:
    def make() -> Tuple[Any, Any]:
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **options).train(), IMAGE
    return make


def _timm(name: str) -> Maker:
    def make() -> Tuple[Any, Any]:
        import timm
        return timm.create_model(name, pretrained=False).train(), IMAGE
    return make


_SMALL: Dict[str, Any] = {"num_hidden_layers": 2, "vocab_size": 1000, "pad_token_id": 0, "bos_token_id": 1,
                          "eos_token_id": 2}
_SMALL_DECODER: Dict[str, Any] = {**_SMALL, "hidden_size": 256, "intermediate_size": 512, "num_attention_heads": 8,
                                  "num_key_value_heads": 4}

MODULES: Dict[str, Maker] = {
    "resnet50": _vision("resnet50"), "mobilenet_v2": _vision("mobilenet_v2"), "vgg11": _vision("vgg11"),
    "densenet121": _vision("densenet121"), "vit_b_16": _vision("vit_b_16"), "convnext_tiny": _vision("convnext_tiny"),
    "timm resnet18d": _timm("resnet18d"), "timm mixer_s32_224": _timm("mixer_s32_224"),
    "timm deit_tiny": _timm("deit_tiny_patch16_224"),
    "gpt2": _transformer("GPT2", n_layer=2, n_embd=192, vocab_size=1000),
    "bert": _transformer("Bert", **_SMALL),
    "llama": _transformer("Llama", **_SMALL_DECODER),
}

_VISION = ("alexnet", "vgg16_bn", "resnet18", "resnet34", "resnet101", "resnext50_32x4d", "wide_resnet50_2",
           "squeezenet1_1", "densenet169", "googlenet", "shufflenet_v2_x1_0", "mobilenet_v3_small",
           "mobilenet_v3_large", "mnasnet1_0", "efficientnet_b0", "efficientnet_b3", "efficientnet_v2_s",
           "regnet_y_400mf", "regnet_x_1_6gf", "convnext_small", "swin_t", "swin_v2_t", "vit_l_16", "maxvit_t")
_TIMM = ("resnet26d", "seresnet50", "ecaresnet50d", "resnetv2_50", "regnety_004", "efficientnet_lite0",
         "tf_efficientnet_b0", "mobilenetv3_large_100", "ghostnet_100", "dla34", "hrnet_w18_small", "dpn68",
         "convnextv2_atto", "vit_tiny_patch16_224", "deit_small_patch16_224", "beit_base_patch16_224",
         "pit_ti_224", "mixer_b16_224", "resmlp_12_224", "poolformer_s12", "convit_tiny", "cait_xxs24_224")
_DECODERS = ("Mistral", "Qwen2", "Qwen3", "Gemma", "Phi3", "StableLm", "Olmo2")
_ENCODERS = ("Roberta", "Electra", "XLMRoberta", "Camembert")

ALL_MODULES: Dict[str, Maker] = {
    **MODULES,
    **{name: _vision(name, **({"aux_logits": False, "init_weights": False} if name == "googlenet" else {}))
       for name in _VISION},
    **{f"timm {name}": _timm(name) for name in _TIMM},
    **{kind.lower(): _transformer(kind, **_SMALL_DECODER) for kind in _DECODERS},
    **{kind.lower(): _transformer(kind, **_SMALL) for kind in _ENCODERS},
    "distilbert": _transformer("DistilBert", n_layers=2, vocab_size=1000),
    "gpt_neox": _transformer("GPTNeoX", **_SMALL, hidden_size=256, intermediate_size=512, num_attention_heads=8),
    "opt": _transformer("OPT", **_SMALL, hidden_size=256, ffn_dim=512, num_attention_heads=8, word_embed_proj_dim=256),
    "bloom": _transformer("Bloom", n_layer=2, vocab_size=1000, hidden_size=256, n_head=8),
    "albert": _transformer("Albert", **_SMALL, hidden_size=256, intermediate_size=512, num_attention_heads=8),
}
