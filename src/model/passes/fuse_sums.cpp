#include "model/passes/fuse_sums.h"

#include "model/passes/is_plain_conv.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

// Into the convolution that runs later: what is added is there by then.
bool merge(Program& program, Uses& uses, const Operation& sum) {
  if (!sum.op || sum.op->name != "add" || sum.then || sum.inputs.size() != 2) return false;
  const bool first_is_later = uses.producer(sum.inputs[0]) > uses.producer(sum.inputs[1]);
  const ValueId into = sum.inputs[first_is_later ? 0 : 1], added = sum.inputs[first_is_later ? 1 : 0];
  const int64_t producer = uses.producer(into);
  if (into == added || producer == Uses::kNobody || uses.reads(into) != 1) return false;
  Operation& conv = program.operations[size_t(producer)];
  if (!is_plain_conv(conv) || conv.repeat != sum.repeat || program.value(added).role != Role::activation ||
      program.value(added).type != program.value(into).type)
    return false;
  conv.inputs.resize(4);
  conv.inputs[3] = added;
  conv.outputs[0] = sum.outputs[0];
  conv.fused += "+add";
  conv.cost.flops += sum.cost.flops;
  uses.set_producer(sum.outputs[0], producer);
  return true;
}

}  // namespace

int64_t fuse_sums(Program& program) {
  Uses uses(program);
  std::vector<bool> gone(program.operations.size(), false);
  for (size_t i = 0; i < gone.size(); ++i) gone[i] = merge(program, uses, program.operations[i]);
  return remove_operations(program, gone);
}

}  // namespace plimsoll
