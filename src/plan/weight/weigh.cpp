#include "plan/weight/weigh.h"

#include "base/text.h"
#include "model/passes/weight_view.h"
#include "plan/weight/layer_name.h"
#include "plan/weight/naive_space.h"
#include "plan/weight/train_flops.h"

namespace plimsoll {
namespace {

bool is_stored(const ProgramValue& value) { return value.role == Role::parameter || value.role == Role::buffer; }

class Scale {
 public:
  Scale(const Program& program, Mode mode)
      : program_(program), seen_(program.values.size(), false), prepared_(program.values.size()) {
    weight_.model = program.name;
    weight_.batch = program.batch;
    weight_.mode = mode;
    weight_.notes = program.notes;
    weight_.uncounted = uncounted_in(program);
  }

  Weight weigh(const Optimizer& optimizer) {
    for (const auto& operation : program_.operations) add(operation);
    add_unread();
    for (const ValueId id : program_.inputs) weight_.input_bytes += program_.value(id).type->bytes();
    add_totals(optimizer);
    return std::move(weight_);
  }

 private:
  void add(const Operation& operation) {
    LayerWeight layer;
    layer.name = layer_name(program_, operation);
    layer.op = operation.op_name;
    layer.certainty = operation.certainty;
    layer.macs = operation.cost.macs * operation.repeat;
    layer.flops = operation.cost.flops * operation.repeat;
    layer.moved = operation.moved * operation.repeat;
    const bool handed_on = hand_on(operation);
    if (!handed_on)
      for (const ValueId id : operation.inputs) add_input(layer, id);
    // A stored tensor that is transposed for the layer after it is read there, with other strides.
    const bool view = operation.op && (operation.op->storage == Storage::view || (handed_on && only_looks(operation)));
    const bool own = !view && (!operation.op || operation.op->storage == Storage::own);
    if (view) layer.moved = Bytes(0);
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      const ValueId id = operation.outputs[i];
      if (!id.present() || !program_.value(id).type) continue;
      const TensorType& type = *program_.value(id).type;
      if (i == 0) layer.output = type.shape;
      if (!view) layer.outputs += type.elements() * operation.repeat;
      if (!view) layer.output_bytes += type.bytes();
      if (own) layer.activation_bytes += type.bytes();
    }
    if (!view) layer.naive_bytes = naive_space(layer, weight_.mode);
    if (operation.certainty == Certainty::at_most) ++weight_.at_most;
    weight_.layers.push_back(std::move(layer));
  }

  // Exporters turn or cut a stored tensor before the layer that it is for (Transpose, then MatMul). It
  // counts where it is computed with, so what only moves stored numbers hands them on.
  bool hand_on(const Operation& operation) {
    std::vector<ValueId> stored;
    for (const ValueId id : operation.inputs) {
      if (!id.present()) continue;
      if (is_stored(program_.value(id)) || !prepared_[size_t(id.index)].empty()) stored.push_back(id);
      else if (program_.value(id).role != Role::constant) return false;
    }
    if (!operation.op || operation.op->cost || stored.empty() || operation.outputs.size() != 1) return false;
    if (operation.outputs[0].present()) prepared_[size_t(operation.outputs[0].index)] = std::move(stored);
    return true;
  }

  void add_input(LayerWeight& layer, ValueId id) {
    if (!id.present() || !program_.value(id).type) return;
    const ProgramValue& value = program_.value(id);
    if (!is_stored(value) && value.role != Role::constant) layer.input_bytes += value.type->bytes();
    add_stored_of(layer, id);
  }

  // What a value is made of may be the same tensor many times over, and many levels deep: each is looked at once.
  void add_stored_of(LayerWeight& layer, ValueId from) {
    std::vector<ValueId> left{from};
    while (!left.empty()) {
      const ValueId id = left.back();
      left.pop_back();
      if (seen_[size_t(id.index)]) continue;  // shared: counted where it is read first
      const auto& made_of = prepared_[size_t(id.index)];
      seen_[size_t(id.index)] = is_stored(program_.value(id)) || !made_of.empty();
      if (is_stored(program_.value(id))) add_stored(layer, program_.value(id));
      left.insert(left.end(), made_of.rbegin(), made_of.rend());
    }
  }

  void add_stored(LayerWeight& layer, const ProgramValue& value) {
    const Count numbers = value.type->elements();
    if (value.role == Role::parameter) {
      layer.params += numbers;
      layer.param_bytes += value.type->bytes();
    } else {
      layer.buffers += numbers;
      weight_.buffer_bytes += value.type->bytes();
    }
  }

  // Stored but read by nothing: heads that only training uses. They weigh all the same.
  void add_unread() {
    LayerWeight rest;
    rest.name = "(stored, not run)";
    rest.op = "none";
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (is_stored(program_.values[i]) && !seen_[i]) add_stored(rest, program_.values[i]);
    if (rest.params.value() > 0 || rest.buffers.value() > 0) weight_.layers.push_back(std::move(rest));
  }

  void add_totals(const Optimizer& optimizer) {
    Bytes outputs;
    for (const auto& layer : weight_.layers) {
      weight_.params += layer.params;
      weight_.buffers += layer.buffers;
      weight_.macs += layer.macs;
      weight_.flops += layer.flops;
      weight_.param_bytes += layer.param_bytes;
      weight_.activation_bytes += layer.activation_bytes;
      weight_.moved += layer.moved;
      outputs += layer.output_bytes;
    }
    weight_.trainable_params = weight_.params;
    const Bytes once = weight_.param_bytes + weight_.input_bytes + outputs;
    weight_.naive_bytes = (weight_.mode == Mode::train ? once * 2 : once) + weight_.buffer_bytes;
    weight_.optimizer = std::string(optimizer.name);
    // Each state in its parameter's format, as PyTorch and TensorFlow keep it.
    if (weight_.mode == Mode::train) weight_.optimizer_bytes = weight_.param_bytes * int64_t(optimizer.state.size());
    const TrainFlops train = train_flops(program_, optimizer);
    weight_.train_flops = train.flops;
    weight_.tokens = token_weight(program_, train.macs);
    if (weight_.mode == Mode::train && !train.why_by_rule.empty())
      weight_.notes.push_back("train FLOPs follow a rule of thumb: " + train.why_by_rule);
  }

  const Program& program_;
  std::vector<bool> seen_;  // stored values, and what is made of them, already counted
  std::vector<std::vector<ValueId>>
      prepared_;  // stored or prepared values that a value is made of, and of nothing else
  Weight weight_;
};

}  // namespace

double LayerWeight::intensity() const { return moved.value() > 0 ? double(flops.value()) / double(moved.value()) : 0; }

Result<Weight> weigh(const Program& program, Mode mode, const Optimizer& optimizer) {
  Weight weight = Scale(program, mode).weigh(optimizer);
  if (weight.params.overflowed() || weight.train_flops.overflowed() || weight.naive_bytes.overflowed() ||
      weight.moved.overflowed() || weight.optimizer_bytes.overflowed())
    return user_error("the totals are more than a 64-bit count holds (overflow)", "is the batch or the input right?");
  return weight;
}

Count rounds(Count operations, int64_t units) {
  return Count(operations.value() / units + (operations.value() % units != 0 ? 1 : 0));
}

}  // namespace plimsoll
