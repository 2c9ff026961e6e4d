"""Modules of torchvision, timm and transformers, each with an example: as configured, with random or no weights."""
from typing import Any, Callable, Dict, Tuple

IMAGE = (1, 3, 224, 224)


def _transformer(kind: str, **sizes: Any) -> Callable[[], Tuple[Any, Any]]:
    def make() -> Tuple[Any, Any]:
        import torch
        import transformers
        config = getattr(transformers, kind + "Config")(**sizes)
        model = getattr(transformers, kind + "Model")(config)
        return model.train(), {"input_ids": torch.zeros((1, 64), dtype=torch.long)}
    return make


def _vision(name: str, **options: Any) -> Callable[[], Tuple[Any, Any]]:
    def make() -> Tuple[Any, Any]:
        import torch
        import torchvision
        with torch.device("meta"):
            return getattr(torchvision.models, name)(weights=None, **options).train(), IMAGE
    return make


def _timm(name: str) -> Callable[[], Tuple[Any, Any]]:
    def make() -> Tuple[Any, Any]:
        import timm
        import torch
        with torch.device("cpu"):
            return timm.create_model(name, pretrained=False).train(), IMAGE
    return make


MODULES: Dict[str, Callable[[], Tuple[Any, Any]]] = {
    "resnet50": _vision("resnet50"), "mobilenet_v2": _vision("mobilenet_v2"), "vgg11": _vision("vgg11"),
    "densenet121": _vision("densenet121"), "vit_b_16": _vision("vit_b_16"), "convnext_tiny": _vision("convnext_tiny"),
    "timm resnet18d": _timm("resnet18d"), "timm mixer_s32_224": _timm("mixer_s32_224"),
    "timm deit_tiny": _timm("deit_tiny_patch16_224"),
    "gpt2": _transformer("GPT2", n_layer=2, n_embd=192, vocab_size=1000),
    "bert": _transformer("Bert", num_hidden_layers=2, vocab_size=1000),
    "llama": _transformer("Llama", num_hidden_layers=2, vocab_size=1000, hidden_size=256, intermediate_size=512,
                          num_attention_heads=8, num_key_value_heads=4),
}
