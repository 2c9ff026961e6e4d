"""Tidies an exported graph: module paths become layer names, zero biases and notes go, buffers become constants."""
from __future__ import annotations

import ast
import re
from typing import Any, List, Set

_SCOPES = "pkg.torch.onnx.name_scopes"


def _scopes(node: Any) -> List[str]:
    try:
        found = ast.literal_eval(node.metadata_props.get(_SCOPES, "[]"))
    except (SyntaxError, ValueError):
        return []
    return [str(one) for one in found] if isinstance(found, list) else []


def layer_name(scopes: List[str], inner: Set[str]) -> str:
    """The path of the module that calls the operation; in a module with parts of its own, with the operation's name.

    inner: paths of the modules that have parts
    """
    if len(scopes) < 2 or scopes[-2].startswith("_empty"):
        return ""
    path, operation = scopes[-2], re.sub(r"_\d+$", "", scopes[-1])
    if path and path not in inner:
        return path
    return f"{path}.{operation}" if path else operation


def name_layers(model: Any, module: Any) -> None:
    """Names every node after the module it comes from."""
    inner = {name for name, part in module.named_modules() if next(part.children(), None) is not None}
    taken = {value.name for value in (*model.graph.inputs, *model.graph.initializers.values())}
    taken |= {value.name for node in model.graph for value in node.outputs}
    for node in model.graph:
        name = layer_name(_scopes(node), inner)
        if not name:
            continue
        node.name = name
        # The tensor that a layer leaves is called as the layer: the largest one of a plan is told by its name.
        if len(node.outputs) == 1 and not node.outputs[0].is_graph_output() and name not in taken:
            node.outputs[0].name = name
            taken.add(name)


def _is_zero(value: Any) -> bool:
    """A constant 0, blown up to a vector."""
    node = value.producer() if value is not None else None
    while node is not None and node.op_type in ("Expand", "CastLike", "Cast"):
        value = node.inputs[0]
        node = value.producer() if value is not None else None
    if node is None or node.op_type != "Constant":
        return False
    attribute = next(iter(node.attributes.values()), None)
    number: Any = getattr(attribute, "value", None)
    if hasattr(number, "numpy"):
        number = number.numpy()
        return bool(number.size == 1 and number.reshape(-1)[0] == 0)
    return bool(number == 0)


def drop_zero_biases(model: Any) -> None:
    """The exporter gives a convolution without a bias one of zeros, computed on the spot."""
    import onnx_ir.passes.common
    for node in model.graph:
        if node.op_type in ("Conv", "ConvTranspose") and len(node.inputs) == 3 and _is_zero(node.inputs[2]):
            node.replace_input_with(2, None)
    onnx_ir.passes.common.RemoveUnusedNodesPass()(model)


_LARGEST_BUFFER = 2 ** 24  # bytes; a larger one stays a weight


def fix_constants(model: Any, parameters: Set[str]) -> None:
    """Numbers that a module has but does not learn (frequencies, masks, tensors made in its code) become constants;
    statistics of batch norms stay where they are. Their values play no part in a plan."""
    import numpy
    import onnx_ir
    for name, value in list(model.graph.initializers.items()):
        users = [use.node for use in value.uses()]
        if name in parameters or not value.dtype.is_floating_point() or value.const_value is None:
            continue
        if value.const_value.nbytes > _LARGEST_BUFFER or any(one.op_type == "BatchNormalization" for one in users):
            continue
        zeros = onnx_ir.tensor(numpy.zeros(value.shape.numpy(), value.dtype.numpy()), value.dtype, name=name)
        constant = onnx_ir.node("Constant", [], {"value": zeros}, name=name)
        constant.outputs[0].shape, constant.outputs[0].type = value.shape, value.type
        model.graph.insert_before(model.graph[0], constant)
        onnx_ir.convenience.replace_all_uses_with(value, constant.outputs[0])
        del model.graph.initializers[name]


def drop_notes(model: Any) -> None:
    """What the exporter notes beside each node and value (stack traces, scopes) is most of the file's bytes."""
    for node in model.graph:
        node.metadata_props.clear()
        for value in node.outputs:
            value.metadata_props.clear()
    for value in (*model.graph.inputs, *model.graph.initializers.values()):
        value.metadata_props.clear()
