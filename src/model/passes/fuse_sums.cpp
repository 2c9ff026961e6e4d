#include "model/passes/fuse_sums.h"

#include "model/passes/is_plain_conv.h"

namespace plimsoll {
namespace {

constexpr int64_t kNobody = -1;

class Sums {
 public:
  explicit Sums(Program& program)
      : program_(program), reads_(program.values.size(), 0), producer_(program.values.size(), kNobody) {
    for (size_t i = 0; i < program.operations.size(); ++i) {
      for (const ValueId id : program.operations[i].inputs)
        if (id.present()) ++reads_[size_t(id.index)];
      for (const ValueId id : program.operations[i].outputs)
        if (id.present()) producer_[size_t(id.index)] = int64_t(i);
    }
    for (const ValueId id : program.outputs) ++reads_[size_t(id.index)];
  }

  int64_t run() {
    std::vector<Operation> left;
    std::vector<bool> gone(program_.operations.size(), false);
    for (size_t i = 0; i < gone.size(); ++i) gone[i] = merge(program_.operations[i]);
    for (size_t i = 0; i < gone.size(); ++i)
      if (!gone[i]) left.push_back(std::move(program_.operations[i]));
    const auto merged = int64_t(gone.size() - left.size());
    program_.operations = std::move(left);
    return merged;
  }

 private:
  int64_t producer(ValueId id) const { return producer_[size_t(id.index)]; }

  // Into the convolution that runs later: what is added is there by then.
  bool merge(const Operation& sum) {
    if (!sum.op || sum.op->name != "add" || sum.then || sum.inputs.size() != 2) return false;
    const bool first_is_later = producer(sum.inputs[0]) > producer(sum.inputs[1]);
    const ValueId into = sum.inputs[first_is_later ? 0 : 1], added = sum.inputs[first_is_later ? 1 : 0];
    if (into == added || producer(into) == kNobody || reads_[size_t(into.index)] != 1) return false;
    Operation& conv = program_.operations[size_t(producer(into))];
    if (!is_plain_conv(conv) || conv.repeat != sum.repeat || program_.value(added).role != Role::activation ||
        program_.value(added).type != program_.value(into).type)
      return false;
    conv.inputs.resize(4);
    conv.inputs[3] = added;
    conv.outputs[0] = sum.outputs[0];
    conv.op_name += "+add";
    conv.cost.flops += sum.cost.flops;
    producer_[size_t(sum.outputs[0].index)] = producer(into);
    return true;
  }

  Program& program_;
  std::vector<int> reads_;
  std::vector<int64_t> producer_;  // the operation that writes a value
};

}  // namespace

int64_t fuse_sums(Program& program) { return Sums(program).run(); }

}  // namespace plimsoll
