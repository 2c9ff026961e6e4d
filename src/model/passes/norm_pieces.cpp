#include "model/passes/norm_pieces.h"

#include <map>
#include <optional>

#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_pieces.h"
#include "model/ops/batch_norm_training.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

bool is_named(const Operation& operation, std::string_view name) { return operation.op && operation.op->name == name; }

bool uses_stored_statistics(const Operation& operation) {
  return is_named(operation, "batch_norm") && operation.inputs.size() == 5 && operation.outputs.size() == 1 &&
         operation.attributes.integer("training_mode", 0) == 0 && operation.attributes.integer("spatial", 1) != 0;
}

// Over the whole batch at once; the groups of ghost batch norm are not cut into pieces.
bool is_whole(const Operation& norm, const Op& op) {
  return norm.op == &op && norm.attributes.integer("ghost", 0) == 0;
}

class NormPieces {
 public:
  explicit NormPieces(Program& program)
      : program_(program), uses_(program), reader_(program.values.size(), 0), gone_(program.operations.size(), false) {
    for (size_t i = 0; i < program.operations.size(); ++i)
      for (const ValueId id : program.operations[i].inputs)
        if (id.present()) reader_[size_t(id.index)] = i;
  }

  int64_t run() {
    find_concats();
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      if (gone_[i]) continue;
      Operation& operation = program_.operations[i];
      if (is_whole(operation, batch_norm_grad())) rewrite_grad(operation, int64_t(i));
      else if (is_whole(operation, batch_norm_train())) rewrite_norm(operation, batch_norm_pieces_train());
      else if (uses_stored_statistics(operation)) rewrite_norm(operation, batch_norm_pieces());
    }
    return remove_operations(program_, gone_);
  }

 private:
  // The one operation that reads a value.
  const Operation* sole_reader(ValueId id) const {
    return uses_.reads(id) == 1 ? &program_.operations[reader_[size_t(id.index)]] : nullptr;
  }

  // Concats that only norms read, so that nobody misses the whole.
  void find_concats() {
    std::map<ValueId, int> by_norms;
    for (const auto& operation : program_.operations) {
      if (is_whole(operation, batch_norm_train()) || uses_stored_statistics(operation)) ++by_norms[operation.inputs[0]];
      if (is_whole(operation, batch_norm_grad()) && can_cut(operation)) ++by_norms[operation.inputs[1]];
    }
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation& operation = program_.operations[i];
      if (!is_concat_of_channels(operation) || uses_.reads(operation.outputs[0]) != by_norms[operation.outputs[0]])
        continue;
      pieces_[operation.outputs[0]] = operation.inputs;
      gone_[i] = true;
    }
  }

  bool along_channels(const Operation& operation, int64_t usual) const {
    const int rank = program_.value(operation.inputs[0]).type->shape.rank();
    return rank >= 2 && *normalise_axis(operation.attributes.integer("axis", usual), rank) == 1;
  }

  bool is_concat_of_channels(const Operation& operation) const {
    if (!is_named(operation, "concat") || operation.repeat != Count(1)) return false;
    for (const ValueId id : operation.inputs)
      if (!id.present() || !program_.value(id).type) return false;
    return along_channels(operation, 1);
  }

  // Whether the gradient goes nowhere but into a split along the pieces of the norm's input.
  bool can_cut(const Operation& grad) const {
    const ValueId dx = grad.outputs[0];
    if (!dx.present() || uses_.reads(dx) == 0) return true;
    const int64_t producer = uses_.producer(grad.inputs[1]);
    const Operation* split = sole_reader(dx);
    if (!split || !is_named(*split, "split") || producer == Uses::kNobody) return false;
    const auto& joined = program_.operations[size_t(producer)].inputs;
    if (split->outputs.size() != joined.size() || !along_channels(*split, 0)) return false;
    for (size_t k = 0; k < joined.size(); ++k)
      if (split->outputs[k].present() && program_.value(split->outputs[k]).type != program_.value(joined[k]).type)
        return false;
    return true;
  }

  void rewrite_norm(Operation& norm, const Op& op) {
    const auto found = pieces_.find(norm.inputs[0]);
    if (found == pieces_.end()) return;
    norm.inputs[0] = found->second[0];
    norm.inputs.insert(norm.inputs.end(), found->second.begin() + 1, found->second.end());
    become(norm, op);
  }

  void rewrite_grad(Operation& grad, int64_t index) {
    const auto found = pieces_.find(grad.inputs[1]);
    std::vector<ValueId> pieces{grad.inputs[1]}, gradients{grad.outputs[0]};
    if (found != pieces_.end()) {
      pieces = found->second;
      gradients = cut(grad.outputs[0], pieces.size());
    }
    std::vector<ValueId> inputs{grad.inputs[0], grad.inputs[2], grad.inputs[3], grad.inputs[4],
                                grad.inputs.size() > 5 ? grad.inputs[5] : ValueId{}};
    std::vector<ValueId> outputs{grad.outputs[1], grad.outputs[2]};
    bool adds = false;
    for (size_t k = 0; k < pieces.size(); ++k) {
      const ValueId sum = add_to_sum(grad, gradients[k], index);
      adds = adds || sum.present();
      inputs.insert(inputs.end(), {pieces[k], sum});
      outputs.push_back(gradients[k]);
    }
    if (found == pieces_.end() && !adds) return;
    grad.inputs = std::move(inputs);
    grad.outputs = std::move(outputs);
    become(grad, batch_norm_pieces_grad());
  }

  // What the split after a gradient has made of it; the split is gone.
  std::vector<ValueId> cut(ValueId dx, size_t pieces) {
    if (!dx.present() || uses_.reads(dx) == 0) return std::vector<ValueId>(pieces);
    const size_t split = reader_[size_t(dx.index)];
    gone_[split] = true;
    return program_.operations[split].outputs;
  }

  // What the gradient is added to, if that is there by then: the sum becomes the result, and its operation is gone.
  ValueId add_to_sum(Operation& grad, ValueId& gradient, int64_t index) {
    if (!gradient.present()) return {};
    const Operation* sum = sole_reader(gradient);
    if (!sum || !is_named(*sum, "add") || sum->then || sum->phase != grad.phase) return {};
    const ValueId other = sum->inputs[sum->inputs[0] == gradient ? 1 : 0];
    const bool there = other != gradient && uses_.producer(other) != Uses::kNobody && uses_.producer(other) < index;
    if (!there || program_.value(other).type != program_.value(gradient).type) return {};
    gone_[reader_[size_t(gradient.index)]] = true;
    grad.cost.flops += sum->cost.flops;
    gradient = sum->outputs[0];
    uses_.set_producer(gradient, index);
    return other;
  }

  // What was fused into it stays a part of its name.
  void become(Operation& operation, const Op& op) {
    operation.op_name = op.name;
    operation.op = &op;
    operation.moved = Bytes(0);
    for (const auto* ids : {&operation.inputs, &operation.outputs})
      for (const ValueId id : *ids)
        if (id.present()) operation.moved += program_.value(id).type->bytes();
  }

  Program& program_;
  Uses uses_;
  std::vector<size_t> reader_;  // the last operation that reads a value
  std::vector<bool> gone_;
  std::map<ValueId, std::vector<ValueId>> pieces_;  // of concats that are gone
};

}  // namespace

int64_t norm_pieces(Program& program) { return NormPieces(program).run(); }

}  // namespace plimsoll
