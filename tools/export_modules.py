"""Small networks that people export: recurrent, attention, autoencoders, U-Net, text, super-resolution."""
import torch
from torch import nn
from torch.nn import functional


class RecurrentClassifier(nn.Module):
    def __init__(self, kind, **settings):
        super().__init__()
        self.recurrent = kind(16, 24, batch_first=True, **settings)
        self.head = nn.Linear(24 * (2 if settings.get("bidirectional") else 1), 5)

    def forward(self, x):
        return self.head(self.recurrent(x)[0][:, -1])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(32, 4, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]


class EinsumAttention(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Parameter(torch.rand(heads, width // heads, width))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).unbind(2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k).softmax(-1)
        return torch.einsum("bhqk,bkhd,hdw->bqw", scores, v, self.out)


def encoder():
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, activation="gelu")
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def autoencoder(rank):
    pairs = ((nn.Conv1d, nn.ConvTranspose1d), (nn.Conv2d, nn.ConvTranspose2d), (nn.Conv3d, nn.ConvTranspose3d))
    down, up = pairs[rank - 1]
    norm = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[rank - 1]
    return nn.Sequential(down(2, 8, 3, stride=2, padding=1), norm(8), nn.ELU(),
                         down(8, 16, 3, stride=2, padding=1, groups=2), nn.LeakyReLU(),
                         up(16, 8, 4, stride=2, padding=1, groups=4), nn.PReLU(8),
                         up(8, 2, 3, stride=2, padding=1, output_padding=1), nn.Sigmoid())


class UNet(nn.Module):
    def __init__(self, norm):
        super().__init__()
        block = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), norm(o), nn.SiLU())
        self.first, self.second, self.last = block(3, 16), block(16, 32), block(48, 16)
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        fine = self.first(x)
        coarse = self.second(functional.max_pool2d(fine, 2))
        coarse = functional.interpolate(coarse, size=fine.shape[2:], mode="bilinear", align_corners=True)
        return self.head(self.last(torch.cat([fine, coarse], 1)))


class TextNet(nn.Module):
    """The mean of the words' vectors, padding left out: what EmbeddingBag computes."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(1000, 32, padding_idx=0)
        self.head = nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 4))

    def forward(self, tokens):
        known = (tokens != 0).unsqueeze(-1).float()
        total = (self.words(tokens) * known).sum(1)
        return self.head(total / known.sum(1).clamp(min=1)).log_softmax(-1)


def super_resolution():
    return nn.Sequential(nn.Conv2d(1, 16, 5, padding=2), nn.Hardswish(), nn.Conv2d(16, 9, 3, padding=1),
                         nn.PixelShuffle(3), nn.PixelUnshuffle(3), nn.PixelShuffle(3))


def upsampling():
    modes = [nn.Upsample(scale_factor=2, mode="nearest"), nn.Upsample(scale_factor=1.5, mode="bilinear"),
             nn.Upsample(size=(20, 24), mode="bicubic", align_corners=True)]
    layers = [nn.AdaptiveAvgPool2d((4, 2))]
    for mode in modes:
        layers += [nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect"), mode]
    return nn.Sequential(*layers)


def all_modules():
    """(name, how to build, inputs, opset, how to export)"""
    sequence = lambda: [torch.rand(1, 12, 16)]
    words = lambda: [torch.rand(1, 10, 32)]
    image = lambda *shape: [torch.rand(1, *shape)]
    lstm = lambda: RecurrentClassifier(nn.LSTM, num_layers=2, bidirectional=True)
    gru = lambda: RecurrentClassifier(nn.GRU)
    rnn = lambda: RecurrentClassifier(nn.RNN, num_layers=2)
    return [
        ("lstm", lstm, sequence(), 11, {}),
        ("lstm", lstm, sequence(), 16, {"fold": False}),
        ("gru", gru, sequence(), 13, {}),
        ("gru", gru, sequence(), 17, {"dynamic": False}),
        ("rnn", rnn, sequence(), 14, {}),
        ("attention", Attention, words(), 12, {}),
        ("attention", Attention, words(), 17, {"dynamic": False, "fold": False}),
        ("transformer_encoder", encoder, words(), 14, {}),
        ("transformer_encoder", encoder, words(), 17, {"fold": False}),
        ("einsum_attention", EinsumAttention, words(), 13, {}),
        ("autoencoder1d", lambda: autoencoder(1), image(2, 32), 15, {}),
        ("autoencoder2d", lambda: autoencoder(2), image(2, 32, 32), 11, {}),
        ("autoencoder3d", lambda: autoencoder(3), image(2, 16, 16, 16), 17, {"mode": "kept"}),
        ("unet_group_norm", lambda: UNet(lambda c: nn.GroupNorm(4, c)), image(3, 32, 48), 12, {}),
        ("unet_instance_norm", lambda: UNet(lambda c: nn.InstanceNorm2d(c, affine=True)), image(3, 33, 47), 16, {}),
        ("text_mean", TextNet, [torch.randint(0, 1000, (1, 20))], 13, {}),
        ("pixel_shuffle", super_resolution, image(1, 24, 24), 14, {}),
        ("upsample", upsampling, image(4, 8, 8), 11, {}),
        ("upsample", upsampling, image(4, 8, 8), 17, {"dynamic": False}),
    ]
