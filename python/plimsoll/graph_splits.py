"""The exporter writes torch.split as a sequence of tensors and picks from it; here it becomes one Split."""
from __future__ import annotations

from typing import Any, List, Optional


def _constant(value: Any) -> Optional[Any]:
    """The numbers of a Constant, as an array."""
    node = value.producer() if value is not None else None
    if node is None or node.op_type != "Constant":
        return None
    attribute = next(iter(node.attributes.values()), None)
    number: Any = getattr(attribute, "value", None)
    return number.numpy() if hasattr(number, "numpy") else None


def _sizes(node: Any) -> Optional[List[int]]:
    """How long each piece is; None where that is not known."""
    axis = node.attributes["axis"].value if "axis" in node.attributes else 0
    shape, split = node.inputs[0].shape, _constant(node.inputs[1] if len(node.inputs) > 1 else None)
    if shape is None or split is None or not isinstance(shape[axis], int):
        return None
    if split.ndim:
        return [int(size) for size in split]
    whole, piece = int(shape[axis]), int(split)
    return [min(piece, whole - start) for start in range(0, whole, piece)]


def _join(model: Any, node: Any, picks: List[Any], sizes: List[int]) -> None:
    import numpy
    import onnx_ir
    lengths = onnx_ir.node("Constant", [], {"value": onnx_ir.tensor(numpy.array(sizes, numpy.int64))})
    axis = node.attributes["axis"].value if "axis" in node.attributes else 0
    split = onnx_ir.node("Split", [node.inputs[0], lengths.outputs[0]], {"axis": axis}, num_outputs=len(sizes),
                         name=node.name)
    split.metadata_props.update(node.metadata_props)
    model.graph.insert_before(node, [lengths, split])
    for pick in picks:
        index, old = int(_constant(pick.inputs[1])), pick.outputs[0]  # type: ignore[arg-type]
        new = split.outputs[index]
        new.shape, new.type, new.name = old.shape, old.type, old.name
        onnx_ir.convenience.replace_all_uses_with(old, new)
        pick.graph.remove(pick, safe=True)
    model.graph.remove(node, safe=True)


def join_splits(model: Any) -> None:
    """Each SplitToSequence whose pieces are picked by number becomes a Split."""
    for node in [node for node in model.graph if node.op_type == "SplitToSequence"]:
        picks = [use.node for use in node.outputs[0].uses()]
        sizes = _sizes(node)
        known = all(pick.op_type == "SequenceAt" and _constant(pick.inputs[1]) is not None for pick in picks)
        if sizes and known and not node.outputs[0].is_graph_output():
            _join(model, node, picks, sizes)
