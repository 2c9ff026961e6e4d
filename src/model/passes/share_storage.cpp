#include "model/passes/share_storage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_pieces.h"
#include "model/passes/weight_view.h"

namespace plimsoll {
namespace {

constexpr int kMostLooks = 64;  // at inputs that may be written over: each is held against all others

// The input that is added to an output.
std::optional<size_t> summand_of(const Operation& operation, size_t output) {
  if (operation.op == &batch_norm_pieces_grad()) return norm_grad_summand(output);
  return output == 0 ? operation.op->summand : std::nullopt;
}

bool has_summands(const Operation& operation) {
  return operation.op->summand || operation.op == &batch_norm_pieces_grad();
}

class Sharing {
 public:
  Sharing(Program& program, Overwriting overwriting)
      : program_(program), overwriting_(overwriting), last_read_(program.values.size(), -1) {}

  void run() {
    for (auto& value : program_.values) value.storage = {};
    fix_views();
    if (overwriting_ == Overwriting::as_written) share_weight_views();
    find_last_reads();
    for (size_t i = 0; i < program_.operations.size(); ++i) overwrite(program_.operations[i], int64_t(i));
  }

 private:
  // Shortens the chain on its way, so that long ones are walked once.
  ValueId root(ValueId id) const {
    ValueId end = id;
    while (program_.value(end).storage.present()) end = program_.value(end).storage;
    while (id != end) id = std::exchange(program_.value(id).storage, end);
    return end;
  }

  // Memory that a complete gradient lives in is a gradient's.
  void share(ValueId id, ValueId with) {
    program_.value(id).storage = with;
    ProgramValue& into = program_.value(root(with));
    if (program_.value(id).role == Role::gradient && into.role == Role::activation) into.role = Role::gradient;
  }

  // Views and updates share whatever happens; reads of them are reads of what they live in.
  void fix_views() {
    for (const auto& operation : program_.operations) {
      if (!operation.op) continue;
      if (operation.op->storage == Storage::view && operation.inputs[0].present())
        for (const ValueId id : operation.outputs)
          if (id.present()) share(id, operation.inputs[0]);
      for (const auto& update : operation.op->updates)
        if (update.output < operation.outputs.size() && operation.outputs[update.output].present() &&
            update.input < operation.inputs.size() && operation.inputs[update.input].present())
          share(operation.outputs[update.output], operation.inputs[update.input]);
    }
  }

  // Frameworks look at a transposed weight with other strides. A view of that must lie in memory as it is read, so
  // there they copy it.
  void share_weight_views() {
    const Uses uses(program_);
    std::vector<bool> viewed(program_.values.size());
    for (const auto& operation : program_.operations)
      if (operation.op && operation.op->storage == Storage::view && operation.inputs[0].present())
        viewed[size_t(operation.inputs[0].index)] = true;
    for (const auto& operation : program_.operations)
      if (only_looks(operation) && operation.phase == Phase::forward && operation.outputs[0].present() &&
          !program_.value(operation.outputs[0]).storage.present() && !viewed[size_t(operation.outputs[0].index)] &&
          is_weight_view(program_, uses, operation.inputs[0]))
        share(operation.outputs[0], operation.inputs[0]);
  }

  void find_last_reads() {
    const auto never = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < program_.operations.size(); ++i)
      for (const ValueId id : program_.operations[i].inputs)
        if (id.present()) last_read_[size_t(root(id).index)] = int64_t(i);
    for (const ValueId id : program_.outputs) last_read_[size_t(root(id).index)] = never;
    if (program_.loss.present()) last_read_[size_t(root(program_.loss).index)] = never;
  }

  bool may_overwrite(const Operation& operation) const {
    if (!operation.op) return false;
    if (overwriting_ == Overwriting::wherever_possible)
      return operation.op->elementwise || operation.op->storage == Storage::in_place || has_summands(operation);
    const bool sum = operation.phase == Phase::backward && operation.op == add_;
    return operation.op->storage == Storage::in_place || sum;
  }

  void overwrite(const Operation& operation, int64_t index) {
    if (!may_overwrite(operation)) return;
    const size_t outputs = has_summands(operation) ? operation.outputs.size() : 1;
    for (size_t i = 0; i < std::min(outputs, operation.outputs.size()); ++i)
      if (operation.outputs[i].present()) overwrite(operation, i, index);
  }

  void overwrite(const Operation& operation, size_t output, int64_t index) {
    const ValueId result = operation.outputs[output];
    if (program_.value(result).storage.present() || !program_.value(result).type) return;
    size_t first = 0, end = operation.inputs.size();
    if (has_summands(operation)) {
      first = summand_of(operation, output).value_or(end);
      end = std::min(end, first + 1);
    }
    int looks = 0;
    for (size_t i = first; i < end && looks < kMostLooks; ++i) {
      const ValueId id = operation.inputs[i];
      if (!id.present() || program_.value(id).type != program_.value(result).type) continue;
      const ValueId into = root(id);
      if (program_.value(into).role != Role::activation || last_read_[size_t(into.index)] > index) continue;
      ++looks;
      if (!is_alone(operation, id)) continue;
      share(result, id);
      last_read_[size_t(into.index)] = last_read_[size_t(result.index)];
      return;
    }
  }

  // No other input lies in the same memory at other places.
  bool is_alone(const Operation& operation, ValueId id) const {
    for (const ValueId other : operation.inputs)
      if (other.present() && other != id && root(other) == root(id)) return false;
    return true;
  }

  Program& program_;
  const Overwriting overwriting_;
  const Op* const add_ = &op_named("add");
  std::vector<int64_t> last_read_;  // of the memory that a value stands at the root of
};

}  // namespace

void share_storage(Program& program, Overwriting overwriting) { Sharing(program, overwriting).run(); }

}  // namespace plimsoll
