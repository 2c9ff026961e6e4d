#include "model/passes/fuse.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 5> kBefore = {"conv", "conv_norm", "batch_norm", "batch_norm_train", "add"};

bool takes_relu(const Operation& operation) {
  return operation.op && !operation.then && operation.phase == Phase::forward &&
         std::find(kBefore.begin(), kBefore.end(), operation.op->name) != kBefore.end();
}

}  // namespace

int64_t fuse(Program& program) {
  std::vector<int> reads(program.values.size(), 0);
  std::vector<Operation*> producer(program.values.size(), nullptr);
  for (auto& operation : program.operations) {
    for (const ValueId id : operation.inputs)
      if (id.present()) ++reads[size_t(id.index)];
    if (takes_relu(operation) && operation.outputs[0].present())
      producer[size_t(operation.outputs[0].index)] = &operation;
  }
  for (const ValueId id : program.outputs) ++reads[size_t(id.index)];
  int64_t fused = 0;
  std::vector<bool> gone(program.operations.size(), false);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& relu = program.operations[i];
    if (!relu.op || relu.op->name != "relu" || relu.phase != Phase::forward) continue;
    Operation* before = producer[size_t(relu.inputs[0].index)];
    if (!before || reads[size_t(relu.inputs[0].index)] != 1 || before->repeat != relu.repeat) continue;
    before->then = relu.op;
    before->op_name += "+relu";
    before->outputs[0] = relu.outputs[0];
    before->cost.flops += relu.cost.flops;
    gone[i] = true;
    ++fused;
  }
  std::vector<Operation> left;
  for (size_t i = 0; i < gone.size(); ++i)
    if (!gone[i]) left.push_back(std::move(program.operations[i]));
  program.operations = std::move(left);
  return fused;
}

}  // namespace plimsoll
