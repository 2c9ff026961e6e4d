#include "plan/memory/framework_form.h"

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "plan/memory/framework_attention.h"
#include "plan/memory/framework_autocast.h"
#include "plan/memory/framework_kernels.h"

namespace plimsoll {
namespace {

// PyTorch's relu6 keeps a copy of its input for the backward pass, also where it overwrites it.
const Op& clip_that_keeps_its_input() {
  static const Op op = [] {
    Op clip = op_named("clip");
    clip.storage = Storage::own;
    clip.gradient = [](Backward& backward) {
      static const Op grad{.name = "clip_grad", .onnx = {}, .required_inputs = 2, .infer = [](const OpCall& call) {
                             return Result<std::vector<TensorType>>(std::vector{call.type(0)});
                           }};
      backward.set(0, backward.emit(grad, {backward.gradient(), backward.input(0)}));
    };
    return clip;
  }();
  return op;
}

void keep_inputs(Program& forward) {
  const Op* const clip = &op_named("clip");
  for (auto& operation : forward.operations)
    if (operation.op == clip) operation.op = &clip_that_keeps_its_input();
}

}  // namespace

void take_form(Program& forward, const FrameworkForm& form) {
  if (form.pytorch) single_kernels(forward);
  if (form.pytorch) keep_inputs(forward);
  if (form.fused_attention) fuse_attention(forward, form.attention);
  if (form.autocast) autocast(forward, *form.autocast);
}

}  // namespace plimsoll
