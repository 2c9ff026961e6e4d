"""Parameters that ONNX has no place for: what a module has and never reads, and single numbers, which the library takes
for constants."""
from __future__ import annotations

from typing import Any


def _stored(parameter: Any, name: str, shape: Any) -> Any:
    """An initializer whose numbers are elsewhere, like all others'."""
    import onnx_ir
    from onnx_ir import tensor_adapters
    dtype = tensor_adapters.from_torch_dtype(parameter.dtype)
    size = parameter.numel() * parameter.element_size()
    tensor = onnx_ir.ExternalTensor("weights", 0, size, dtype, shape=onnx_ir.Shape(shape), name=name)
    return onnx_ir.Value(name=name, type=onnx_ir.TensorType(dtype), shape=onnx_ir.Shape(shape), const_value=tensor)


def _read(model: Any, value: Any, operation: str) -> Any:
    """What reads it, before everything else."""
    import onnx_ir
    node = onnx_ir.node(operation, [value], name=value.name)
    node.outputs[0].type = value.type
    if len(model.graph):
        model.graph.insert_before(model.graph[0], node)
    else:
        model.graph.append(node)
    return node.outputs[0]


def keep_unread(model: Any, module: Any) -> None:
    """A token for masked patches, a head that only another task uses: they are stored all the same."""
    names = model.graph.initializers
    there = {id(parameter) for name, parameter in module.named_parameters(remove_duplicate=False) if name in names}
    for name, parameter in module.named_parameters():
        if id(parameter) in there:
            continue
        value = _stored(parameter, name, list(parameter.shape) or [1])
        model.graph.register_initializer(value)
        _read(model, value, "Flatten")  # a view of it, which nobody reads


def widen_numbers(model: Any, module: Any) -> None:
    """A learned number (a scale of logits) becomes a vector of one, read as a number."""
    import onnx_ir
    for name, parameter in module.named_parameters(remove_duplicate=False):
        old = model.graph.initializers.get(name)
        if old is None or parameter.dim() > 0:
            continue
        del model.graph.initializers[name]
        value = _stored(parameter, name, [1])
        old.name = name + ".number"
        number = _read(model, value, "Squeeze")
        number.shape = onnx_ir.Shape([])
        onnx_ir.convenience.replace_all_uses_with(old, number)
        model.graph.register_initializer(value)
