"""The networks of module_sweep.py: small enough to run on a processor, each as its library builds it."""
import functools

import torch

BATCH = 2
TORCHVISION = """alexnet vgg11_bn resnet18 resnet50 resnext50_32x4d wide_resnet50_2 densenet121 mobilenet_v2
mobilenet_v3_large efficientnet_b0 efficientnet_v2_s convnext_tiny swin_t swin_v2_t vit_b_32 regnet_y_400mf
regnet_x_800mf shufflenet_v2_x1_0 squeezenet1_1 mnasnet1_0 maxvit_t mvit_v2_s swin_s""".split()
TIMM = """resnet10t vit_tiny_patch16_224 deit_tiny_patch16_224 mixer_s32_224 convnextv2_atto mobilevit_xxs levit_128s
poolformer_s12 cait_xxs24_224 edgenext_xx_small gmlp_ti16_224 resmlp_12_224 pit_ti_224 xcit_nano_12_p16_224
mobilenetv4_conv_small ghostnet_100 repvgg_a0 eca_nfnet_l0 tinynet_a hardcorenas_a swin_tiny_patch4_window7_224
beit_base_patch16_224 eva02_tiny_patch14_224 efficientvit_b0 fastvit_t8 visformer_tiny crossvit_tiny_240""".split()
SIZES = {"mobilevit_xxs": 256, "edgenext_xx_small": 256, "beit_base_patch16_224": 224, "fastvit_t8": 256,
         "crossvit_tiny_240": 240}
TOKENS = 48
SMALL = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256,
         "vocab_size": 1000, "max_position_embeddings": TOKENS, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
NO_DROPOUT = {name: 0.0 for name in (
    "hidden_dropout_prob", "attention_probs_dropout_prob", "attention_dropout", "dropout", "activation_dropout",
    "resid_pdrop", "embd_pdrop", "attn_pdrop", "hidden_dropout", "classifier_dropout_prob", "dropout_rate",
    "embed_dropout", "seq_classif_dropout", "drop_path_rate", "layerdrop", "encoder_layerdrop", "decoder_layerdrop")}
# Name: its config class, its model class, settings of its own.
TRANSFORMERS = {
    "gpt2": ("GPT2Config", "GPT2LMHeadModel", {"n_embd": 128, "n_layer": 2, "n_head": 4, "n_positions": TOKENS}),
    "bert": ("BertConfig", "BertForMaskedLM", {}),
    "roberta": ("RobertaConfig", "RobertaForMaskedLM", {"max_position_embeddings": TOKENS + 1}),
    "distilbert": ("DistilBertConfig", "DistilBertForMaskedLM", {"dim": 128, "n_layers": 2, "n_heads": 4,
                                                                  "hidden_dim": 256}),
    "albert": ("AlbertConfig", "AlbertForMaskedLM", {"embedding_size": 64}),
    "electra": ("ElectraConfig", "ElectraForMaskedLM", {"embedding_size": 64}),
    "llama": ("LlamaConfig", "LlamaForCausalLM", {"num_key_value_heads": 2}),
    "mistral": ("MistralConfig", "MistralForCausalLM", {"num_key_value_heads": 2}),
    "qwen2": ("Qwen2Config", "Qwen2ForCausalLM", {"num_key_value_heads": 2}),
    "qwen3": ("Qwen3Config", "Qwen3ForCausalLM", {"num_key_value_heads": 2, "head_dim": 32}),
    "gemma": ("GemmaConfig", "GemmaForCausalLM", {"num_key_value_heads": 1, "head_dim": 32}),
    "phi": ("PhiConfig", "PhiForCausalLM", {"num_key_value_heads": 4}),
    "phi3": ("Phi3Config", "Phi3ForCausalLM", {"num_key_value_heads": 2}),
    "opt": ("OPTConfig", "OPTForCausalLM", {"ffn_dim": 256, "word_embed_proj_dim": 128}),
    "gpt_neox": ("GPTNeoXConfig", "GPTNeoXForCausalLM", {}),
    "falcon": ("FalconConfig", "FalconForCausalLM", {"num_kv_heads": 4}),
    "olmo": ("OlmoConfig", "OlmoForCausalLM", {"num_key_value_heads": 4}),
    "stablelm": ("StableLmConfig", "StableLmForCausalLM", {"num_key_value_heads": 4}),
    "starcoder2": ("Starcoder2Config", "Starcoder2ForCausalLM", {"num_key_value_heads": 2}),
    "granite": ("GraniteConfig", "GraniteForCausalLM", {"num_key_value_heads": 2}),
}
PICTURES = {
    "vit": ("ViTConfig", "ViTForImageClassification", {"image_size": 64, "patch_size": 16}),
    "deit": ("DeiTConfig", "DeiTForImageClassification", {"image_size": 64, "patch_size": 16}),
    "dinov2": ("Dinov2Config", "Dinov2ForImageClassification", {"image_size": 64, "patch_size": 16}),
    "convnext_hf": ("ConvNextConfig", "ConvNextForImageClassification", {"depths": [1, 1, 2, 1],
                                                                          "hidden_sizes": [16, 32, 64, 128]}),
    "mobilevit_hf": ("MobileViTConfig", "MobileViTForImageClassification", {"image_size": 64}),
}
EAGER = ("convnext_hf", "mobilevit_hf")  # have no other attention


class First(torch.nn.Module):
    """The first tensor of what a network gives."""

    def __init__(self, network, **keywords):
        super().__init__()
        self.network, self.keywords = network, keywords

    def forward(self, x):
        out = self.network(x, **self.keywords)
        if isinstance(out, torch.Tensor):
            return out
        return out[0] if isinstance(out, (tuple, list)) else getattr(out, "logits", out[0])


def _torchvision(name):
    from torchvision import models
    frames = (16,) if name.startswith("mvit") else ()
    return models.get_model(name, weights=None), torch.rand(BATCH, 3, *frames, 224, 224)


def _timm(name):
    import timm
    size = SIZES.get(name, 224)
    return timm.create_model(name, drop_rate=0.0), torch.rand(BATCH, 3, size, size)


def _transformers(name, table, implementation):
    import transformers
    config_class, model_class, own = table[name]
    config = getattr(transformers, config_class)()
    for key, value in {**SMALL, **NO_DROPOUT, **own}.items():
        if key in own or hasattr(config, key):
            setattr(config, key, value)
    if hasattr(config, "layer_types") and config.layer_types:
        config.layer_types = config.layer_types[:config.num_hidden_layers]
    if name in EAGER:
        implementation = "eager"
    config._attn_implementation = implementation
    network = getattr(transformers, model_class)(config)
    if table is PICTURES:
        return network, torch.rand(BATCH, 3, 64, 64)
    network.config.use_cache = False
    return network, torch.randint(3, 1000, (BATCH, TOKENS))


def cases():
    """By name: a function that gives a network and its input."""
    found = {name: functools.partial(_torchvision, name) for name in TORCHVISION}
    found.update({"timm_" + name: functools.partial(_timm, name) for name in TIMM})
    for table in (TRANSFORMERS, PICTURES):
        found.update({"hf_" + name: functools.partial(_transformers, name, table, "sdpa") for name in table})
    for name in ("gpt2", "bert", "llama"):
        found[f"hf_{name}_eager"] = functools.partial(_transformers, name, TRANSFORMERS, "eager")
    return found


def built(name):
    """A network as it trains, dropout switched off, every parameter of numbers of its own, and its input."""
    torch.manual_seed(0)
    network, example = cases()[name]()
    keywords = {"use_cache": False} if name.startswith("hf_") and hasattr(network.config, "use_cache") else {}
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.01)
        for buffer_name, buffer in network.named_buffers():
            if buffer_name.endswith(("running_mean", "running_var")):
                buffer.add_(torch.rand_like(buffer) * 0.1)
    for part in network.modules():
        if any(word in type(part).__name__.lower() for word in ("drop", "stochasticdepth")):
            part.eval()
            for rate in ("p", "drop_prob"):
                if isinstance(getattr(part, rate, None), float):
                    setattr(part, rate, 0.0)
    return First(network, **keywords), example
