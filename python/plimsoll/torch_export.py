"""A torch module as the bytes of an ONNX file, without its weights: exported from a copy on the meta device."""
from __future__ import annotations

import contextlib
import copy
import io
import logging
import re
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from plimsoll import graph_names
from plimsoll.error import Error

_SHAPE_HINT = "give an example: tensors, a shape as (1, 3, 224, 224), or a dict of them"


def _is_shape(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and bool(value) and all(isinstance(one, int) for one in value)


def _meta_input(value: Any) -> Any:
    import torch
    if isinstance(value, torch.Tensor):
        return torch.empty_like(value, device="meta", requires_grad=False)
    if hasattr(value, "__array__") and hasattr(value, "shape"):
        return torch.as_tensor(value).to("meta")
    if _is_shape(value):
        return torch.empty(tuple(value), device="meta")
    if isinstance(value, Mapping):
        return {key: _meta_input(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_meta_input(one) for one in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Error(f"an example cannot hold a {type(value).__name__}", hint=_SHAPE_HINT)


def inputs_of(example: Any) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    """What the module is called with: positional and keyword arguments, on the meta device."""
    if example is None:
        raise Error("a torch module needs an example of its input", hint=_SHAPE_HINT)
    if isinstance(example, Mapping):
        return (), {key: _meta_input(value) for key, value in example.items()}
    if isinstance(example, (tuple, list)) and not _is_shape(example):
        return tuple(_meta_input(value) for value in example), {}
    return (_meta_input(example),), {}


def _tensors(value: Any) -> Iterator[Any]:
    import torch
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _tensors(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one)


def meta_copy(module: Any) -> Any:
    """The module with every parameter and buffer on the meta device: no memory, the original untouched."""
    import torch
    memo: Dict[int, Any] = {}
    for part in module.modules():
        for parameter in part._parameters.values():
            if parameter is not None and id(parameter) not in memo:
                memo[id(parameter)] = torch.nn.Parameter(torch.empty_like(parameter.detach(), device="meta"),
                                                         requires_grad=parameter.requires_grad)
        for buffer in part._buffers.values():
            if buffer is not None and id(buffer) not in memo:
                memo[id(buffer)] = torch.empty_like(buffer.detach(), device="meta")
    copied = copy.deepcopy(module, memo)
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
    if isinstance(value, torch.Tensor):
        return {0: torch.export.Dim.DYNAMIC} if value.dim() and value.shape[0] == batch else None
    if isinstance(value, Mapping):
        return {key: _open_batch(one, batch) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_open_batch(one, batch) for one in value)
    return None


def _widened(value: Any, batch: int) -> Any:
    """With batch 2 where it was 1: torch takes a size of 1 for fixed."""
    import torch
    if isinstance(value, torch.Tensor):
        if value.dim() and value.shape[0] == batch == 1:
            return torch.empty((2, *value.shape[1:]), dtype=value.dtype, device="meta")
        return value
    if isinstance(value, Mapping):
        return {key: _widened(one, batch) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_widened(one, batch) for one in value)
    return value


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
    batch = next((int(tensor.shape[0]) for tensor in _tensors((args, keywords)) if tensor.dim()), 1)
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


def _refusal(module: Any, error: BaseException) -> Error:
    """One line: where in the module, and what could not be exported."""
    chain: List[BaseException] = []
    cause: Optional[BaseException] = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    text = "\n".join(str(one) for one in chain)
    where = _failing_module(module, chain)
    operation = re.search(r"(?:aten|torchvision|prims)[.:]+\w+(?:\.\w+)?", text)
    root = next((line.strip() for line in str(chain[-1]).split("\n") if line.strip()), type(chain[-1]).__name__)
    what = f"cannot be exported: {root[:200]}"
    if operation and operation[0] not in what:
        what += f" ({operation[0]})"
    return Error(what, where, "plan its parts, or export it yourself and give the .onnx file")


def _failing_module(module: Any, chain: List[BaseException]) -> str:
    """The path of the innermost submodule whose forward() was running."""
    names = {id(part): name for name, part in module.named_modules()}
    for error in reversed(chain):
        found = ""
        trace = error.__traceback__
        while trace is not None:
            owner = trace.tb_frame.f_locals.get("self")
            if id(owner) in names and names[id(owner)]:
                found = names[id(owner)]
            trace = trace.tb_next
        if found:
            return f"{type(module).__name__}.{found}"
    return type(module).__name__


def onnx_bytes(module: Any, example: Any) -> bytes:
    """The module's graph as it trains, in ONNX, without weights."""
    import torch
    try:
        import onnxscript  # noqa: F401
    except ImportError:
        raise Error("a torch module needs onnxscript, which is not installed", hint="pip install onnxscript") from None
    args, keywords = inputs_of(example)
    copied: Any = module
    try:
        copied = meta_copy(module)
        with _quiet(), torch.no_grad():
            program = _program(copied, args, keywords)
            exported = torch.onnx.export(program, dynamo=True, optimize=False, verbose=False)
            graph_names.drop_zero_biases(exported.model)
            graph_names.name_layers(exported.model, copied)
            graph_names.fix_buffers(exported.model, {name for name, _ in copied.named_buffers()})
            return _without_weights(exported.model)
    except Error:
        raise
    except Exception as error:  # noqa: BLE001  torch raises many kinds; each is a module that cannot be exported
        raise _refusal(copied, error) from error
