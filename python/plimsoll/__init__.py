"""Plimsoll: what a deep network weighs, how far a machine may be loaded with it, which machine to take, how long it
takes there and what it costs.

    import plimsoll as pl
    pl.weigh("resnet50").macs
    pl.fit(model, example, device="nvidia-t4", optimizer="adamw").batch      # a torch.nn.Module
    pl.place("resnet50", samples=50_000, epochs=10, by="money")              # a ranking; in a notebook a table
"""
from plimsoll.answer import Answer
from plimsoll.answers import *  # noqa: F401,F403
from plimsoll.comparison import Comparison, compare
from plimsoll.error import Error
from plimsoll.network import Network, load
from plimsoll.verbs import devices, fit, models, place, scale, weigh

__version__ = "0.1.0"
__all__ = ["Answer", "Comparison", "Error", "Network", "compare", "devices", "fit", "load", "models", "place", "scale",
           "weigh"]
