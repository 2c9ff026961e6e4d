#include "model/passes/fuse.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/passes/merge_into_producer.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 5> kBefore = {"conv", "conv_norm", "batch_norm", "batch_norm_train", "add"};

bool takes_relu(const Operation& operation) {
  return operation.op && !operation.then && operation.phase == Phase::forward &&
         std::find(kBefore.begin(), kBefore.end(), operation.op->name) != kBefore.end();
}

bool is_relu(const Operation& operation) {
  return operation.op && operation.op->name == "relu" && operation.phase == Phase::forward;
}

void put_behind(Operation& before, const Operation& relu) {
  before.then = relu.op;
  before.op_name += "+relu";
  before.outputs[0] = relu.outputs[0];
  before.cost.flops += relu.cost.flops;
}

}  // namespace

int64_t fuse(Program& program) { return merge_into_producer(program, {takes_relu, is_relu, put_behind}); }

}  // namespace plimsoll
