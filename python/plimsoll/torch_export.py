"""A torch module as the bytes of an ONNX file, without its weights: exported from a copy on the meta device."""
from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import logging
import warnings
from typing import Any, Dict, Iterator, List, Optional

from plimsoll import attention_ranks, causal_masks, graph_names, graph_parameters, graph_splits
from plimsoll.error import Error
from plimsoll.example_inputs import each_tensor, inputs_of, tensors
from plimsoll.refusal import refusal


def meta_copy(module: Any, training: bool) -> Any:
    """The module with every parameter and buffer on the meta device: no memory, the original untouched, wherever it
    is."""
    import torch
    memo: Dict[int, Any] = {}
    trainer = module.__dict__.get("_trainer")  # of Lightning: data and all, which nobody wants to copy
    if trainer is not None:
        memo[id(trainer)] = None
    for part in module.modules():
        for parameter in part._parameters.values():
            if parameter is not None and id(parameter) not in memo:
                memo[id(parameter)] = torch.nn.Parameter(torch.empty_like(parameter.detach(), device="meta"),
                                                         requires_grad=parameter.requires_grad)
        for buffer in part._buffers.values():
            if buffer is not None and id(buffer) not in memo:
                memo[id(buffer)] = torch.empty_like(buffer.detach(), device="meta")
        own = {name: value for name, value in part.__dict__.items() if not name.startswith("_")}
        for tensor in tensors(own):  # neither: made in the module's code
            memo.setdefault(id(tensor), torch.empty_like(tensor.detach(), device="meta"))
    copied = copy.deepcopy(module, memo)
    if training and not module.training:
        copied.train()
    for part in copied.modules():
        # A batch norm is exported with the statistics it keeps; the plan knows how it trains.
        if isinstance(part, torch.nn.modules.batchnorm._BatchNorm):
            part.training = False
    if hasattr(getattr(copied, "config", None), "use_cache"):
        copied.config.use_cache = False  # of transformers: a training keeps no cache, and none can be exported
    return copied


def _open_batch(value: Any, batch: int) -> Any:
    """Which dimensions stay open: the first of each tensor whose first size is the batch."""
    import torch
    return each_tensor(
        value,
        lambda tensor: {0: torch.export.Dim.DYNAMIC} if tensor.dim() and tensor.shape[0] == batch else None,
        lambda other: None)


def _widened(value: Any, batch: int) -> Any:
    """With batch 2 where it was 1: torch takes a size of 1 for fixed."""
    import torch

    def wide(tensor: Any) -> Any:
        if tensor.dim() and tensor.shape[0] == batch == 1:
            return torch.empty((2, *tensor.shape[1:]), dtype=tensor.dtype, device="meta")
        return tensor
    return each_tensor(value, wide, lambda other: other)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Exporters log and print much on their way; what matters of it becomes our one line."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("torch", "onnxscript")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    nowhere = io.StringIO()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, disabled in zip(loggers, before):
            logger.disabled = disabled


def _program(module: Any, args: Any, keywords: Any) -> Any:
    """torch.export's graph, with an open batch where the module allows it."""
    import torch
    batch = next((int(tensor.shape[0]) for tensor in tensors((args, keywords)) if tensor.dim()), 1)
    wide = _widened(args, batch), _widened(keywords, batch)
    opened = _open_batch(wide[0], max(batch, 2)), _open_batch(wide[1], max(batch, 2))
    names = _argument_names(module, len(args))
    shapes = {**dict(zip(names, opened[0])), **opened[1]} if len(names) == len(args) else None
    if shapes is not None:
        try:
            return torch.export.export(module, wide[0], wide[1], dynamic_shapes=shapes, strict=False)
        except Exception:  # noqa: BLE001  a module that fixes its batch: exported as the example is
            pass
    return torch.export.export(module, args, keywords, strict=False)


def _argument_names(module: Any, count: int) -> List[str]:
    import inspect
    names: List[str] = []
    for parameter in inspect.signature(module.forward).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL or len(names) == count:
            break
        names.append(parameter.name)
    return names


def _without_weights(model: Any) -> bytes:
    """The file, its weights said to be elsewhere: they are never read."""
    import onnx_ir
    offset = 0
    for value in model.graph.initializers.values():
        tensor = value.const_value
        if tensor is None or tensor.nbytes <= 256 and not _is_meta(tensor):
            continue
        value.const_value = onnx_ir.ExternalTensor("weights", offset, tensor.nbytes, tensor.dtype,
                                                   shape=tensor.shape, name=value.name)
        offset += tensor.nbytes
    content: bytes = onnx_ir.to_proto(model).SerializeToString()
    return content


def _is_meta(tensor: Any) -> bool:
    raw = getattr(tensor, "raw", None)
    return getattr(getattr(raw, "device", None), "type", "") == "meta" or type(raw).__name__ == "FakeTensor"


@dataclasses.dataclass(frozen=True)
class Exported:
    """A module's graph as it trains, in ONNX, without weights, and which of its parameters are not trained."""

    content: bytes
    frozen: List[str]


def _frozen(model: Any, module: Any) -> List[str]:
    """Parameters of the graph for which nobody wants a gradient: a backbone at rest, what adapters stand beside."""
    resting = {name for name, parameter in module.named_parameters(remove_duplicate=False)
               if not parameter.requires_grad}
    return sorted(name for name in model.graph.initializers if name in resting)


def _graph(program: Any, module: Any) -> Any:
    """In ONNX, in the module's own words."""
    import torch
    file: Any = torch.onnx.export(program, dynamo=True, optimize=False, verbose=False)
    graph_splits.join_splits(file.model)
    graph_names.drop_zero_biases(file.model)
    graph_names.name_layers(file.model, module)
    graph_names.fix_constants(file.model, {name for name, _ in module.named_parameters(remove_duplicate=False)})
    graph_parameters.widen_numbers(file.model, module)
    graph_parameters.keep_unread(file.model, module)
    graph_names.drop_notes(file.model)
    return file.model


def exported(module: Any, example: Any) -> Exported:
    """As it trains, also where it comes in eval(), as pretrained ones do; one that cannot be exported so (it wants
    targets, or skips layers at random) as it is."""
    if not module.training:
        try:
            return _exported(module, example, True)
        except Error:
            pass
    return _exported(module, example, bool(module.training))


def _exported(module: Any, example: Any, training: bool) -> Exported:
    import torch
    try:
        import onnxscript  # noqa: F401
    except ImportError:
        raise Error("a torch module needs onnxscript, which is not installed", hint="pip install onnxscript") from None
    args, keywords = inputs_of(example)
    copied: Any = module
    program: Optional[Any] = None
    try:
        copied = meta_copy(module, training)
        with _quiet(), torch.no_grad(), attention_ranks.four(), causal_masks.assumed():
            program = _program(copied, args, keywords)
            model = _graph(program, copied)
            return Exported(_without_weights(model), _frozen(model, copied))
    except Error:
        raise
    except Exception as error:  # noqa: BLE001  torch raises many kinds; each is a module that cannot be exported
        raise refusal(copied, error, program) from error
