#include "model/passes/fold_batch_norm.h"

#include "model/ops/all_ops.h"
#include "model/ops/conv_norm.h"
#include "model/passes/is_plain_conv.h"
#include "model/passes/merge_into_producer.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

bool takes_norm(const Operation& before, const Operation& /*norm*/) { return is_plain_conv(before); }

bool uses_stored_statistics(const Program& /*program*/, const Operation& operation) {
  if (!operation.op || operation.op->name != "batch_norm" || operation.inputs.size() != 5 || operation.then)
    return false;
  for (size_t i = 1; i < operation.outputs.size(); ++i)
    if (operation.outputs[i].present()) return false;
  return operation.attributes.integer("training_mode", 0) == 0 && operation.attributes.integer("spatial", 1) != 0;
}

void into_operation(Program& /*program*/, Operation& conv, const Operation& norm) {
  conv.op = &conv_norm();
  conv.op_name = conv.op->name;
  conv.inputs.resize(3);
  conv.inputs.insert(conv.inputs.end(), norm.inputs.begin() + 1, norm.inputs.end());
  conv.attributes.set("epsilon", norm.attributes.number("epsilon", 1e-5));
  conv.outputs = {norm.outputs[0]};
}

class IntoWeights {
 public:
  explicit IntoWeights(Program& program) : program_(program), uses_(program) {}

  void run() {
    for (auto& operation : program_.operations)
      if (operation.op == &conv_norm() && has_its_own(operation)) fold(operation);
  }

 private:
  // Whether its tensors are stored, in f32, and no other operation reads them.
  bool has_its_own(const Operation& operation) const {
    for (size_t i = 1; i < operation.inputs.size(); ++i) {
      const ValueId id = operation.inputs[i];
      if (!id.present()) continue;
      const ProgramValue& value = program_.value(id);
      const bool stored = value.role == Role::parameter || value.role == Role::buffer;
      if (!stored || value.constant || value.type->dtype != DType::f32 || uses_.reads(id) != 1) return false;
    }
    return true;
  }

  // The convolution that is left keeps its weights, and has a bias where the norm had its shift.
  void fold(Operation& operation) {
    const auto& in = operation.inputs;
    const FoldedNorm folded{in[1], in[4], in[2], in[3],
                            in[4], in[5], in[6], operation.attributes.number("epsilon", 1e-5)};
    for (const ValueId id : {folded.conv_bias, folded.scale, folded.mean, folded.variance})
      if (id.present()) program_.value(id).role = Role::activation;  // not stored any more
    operation.op = find_op("conv");
    operation.op_name = operation.op->name;
    operation.inputs = {in[0], folded.weights, folded.bias};
    program_.folded.push_back(folded);
  }

  Program& program_;
  const Uses uses_;
};

}  // namespace

int64_t fold_batch_norm(Program& program, Parameters parameters) {
  const int64_t folded = merge_into_producer(program, {takes_norm, uses_stored_statistics, into_operation});
  if (parameters == Parameters::own) IntoWeights(program).run();
  return folded;
}

}  // namespace plimsoll
