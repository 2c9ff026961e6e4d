#include "plan/memory/framework_kept_inputs.h"

#include <map>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/ops/pool_gradient.h"

namespace plimsoll {

const Op& max_pool_op();
const Op& average_pool_op();
const Op& adaptive_average_pool_op();

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

// Its first input, looked at; the second is there until then and nobody reads it.
const Op& while_kept() {
  static const Op op{
      .name = "while_kept",
      .kind = OpKind::movement,
      .onnx = {},
      .required_inputs = 2,
      .infer = [](const OpCall& call) { return Result<std::vector<TensorType>>(std::vector{call.type(0)}); },
      .storage = Storage::view};
  return op;
}

template <const Op& (*original)()>
const Op& that_keeps_its_input() {
  static const Op op = [] {
    Op made = original();
    made.gradient = [](Backward& backward) {
      original().gradient(backward);
      const ValueId found = backward.input_gradients()[0];
      if (found.present()) backward.set(0, backward.emit(while_kept(), {found, backward.input(0)}));
    };
    return made;
  }();
  return op;
}

// In a training step it is the other operation, which remembers where the largest numbers were.
const Op& max_pool_that_keeps_its_input() {
  static const Op op = [] {
    Op pool = that_keeps_its_input<max_pool_op>();
    pool.training = that_keeps_its_input<max_pool_train>;
    return pool;
  }();
  return op;
}

}  // namespace

void keep_inputs(Program& forward) {
  const std::map<const Op*, const Op*> keeping = {
      {&op_named("clip"), &clip_that_keeps_its_input()},
      {&max_pool_op(), &max_pool_that_keeps_its_input()},
      {&average_pool_op(), &that_keeps_its_input<average_pool_op>()},
      {&adaptive_average_pool_op(), &that_keeps_its_input<adaptive_average_pool_op>()}};
  for (auto& operation : forward.operations)
    if (const auto found = keeping.find(operation.op); found != keeping.end()) operation.op = found->second;
}

}  // namespace plimsoll
