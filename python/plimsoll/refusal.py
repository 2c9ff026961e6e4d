"""Why a module cannot be exported, in one line: where in the module, and which operation."""
from __future__ import annotations

import re
from typing import Any, List, Optional

from plimsoll.error import Error

_OPERATION = re.compile(r"OpOverload\(op='([\w.:]+)'|((?:aten|torchvision|prims)[.:]+\w+(?:\.\w+)?)")
_HINT = "plan its parts, or export it yourself and give the .onnx file"


def _chain(error: BaseException) -> List[BaseException]:
    chain: List[BaseException] = []
    cause: Optional[BaseException] = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    return chain


def _running_module(module: Any, chain: List[BaseException]) -> str:
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
            return found
    return ""


def _calling_module(program: Any, operation: str) -> str:
    """The path of the first module that calls the operation, by the notes that torch.export keeps with each node."""
    base = operation.replace("::", ".").split(".")
    wanted = base[1].strip("_") if len(base) > 1 else operation
    for node in program.graph.nodes if program is not None else ():
        called = str(node.target).split(".")
        name = called[1].strip("_") if len(called) > 1 else called[0]
        # An operation may have been taken apart since: aten.cdist becomes aten._cdist_forward.
        if node.op == "call_function" and name and (wanted in name or name in wanted):
            stack = list((node.meta.get("nn_module_stack") or {}).values())
            return str(stack[-1][0]) if stack else ""
    return ""


def refusal(module: Any, error: BaseException, program: Any = None) -> Error:
    """program: what torch.export made of the module, where it came that far."""
    chain = _chain(error)
    found = _OPERATION.search("\n".join(str(one) for one in chain))
    operation = (found[1] or found[2]) if found else ""
    root = next((line.strip() for line in str(chain[-1]).split("\n") if line.strip()), type(chain[-1]).__name__)
    if "data-dependent" in root:
        seen = re.search(r"expression (.+?) \(unhinted", root)
        what = "cannot be exported: a branch, a size or a number taken out depends on the data"
        what += f" ({seen[1]})" if seen else ""
    elif "No ONNX function" in root:
        what = f"cannot be exported: {operation or root[:160]} has no counterpart in ONNX"
    else:
        what = f"cannot be exported: {root[:200]}"
    if operation and operation not in what:
        what += f" ({operation})"
    path = _running_module(module, chain) or (_calling_module(program, operation) if operation else "")
    name = type(module).__name__
    return Error(what, f"{name}.{path}" if path else name, _HINT)
