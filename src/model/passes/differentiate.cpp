#include "model/passes/differentiate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/field_mark.h"
#include "base/text.h"
#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"
#include "model/passes/promote_types.h"

namespace plimsoll {
namespace {

// The gradients of a value that very many operations read are added up so many at a time, not one by one: as many sums
// as there are readers would be far more operations than the network has.
constexpr int32_t kManyReaders = 64;
constexpr size_t kSummedAtOnce = 64;

bool is_number(const ProgramValue& value) { return value.type && is_floating(value.type->dtype); }

class Differentiator {
 public:
  explicit Differentiator(Program& program) : program_(program), gradients_(program.values.size()) {}

  Result<std::vector<ParameterGradient>> run() {
    find_needs();
    PLIM_TRY(check_loops());
    seed();
    const size_t forward = program_.operations.size();
    for (size_t i = forward; i-- > 0;) {
      PLIM_TRY(complete_gradients(i));
      PLIM_TRY(pass_back(program_.operations[i]));
    }
    return collect();
  }

 private:
  // Which values the loss is to be differentiated by: the parameters, and what is computed from them.
  void find_needs() {
    needs_.resize(program_.values.size());
    readers_.resize(program_.values.size(), 0);
    for (size_t i = 0; i < needs_.size(); ++i)
      needs_[i] = program_.values[i].role == Role::parameter && is_number(program_.values[i]);
    for (const auto& operation : program_.operations) {
      for (const ValueId id : operation.inputs)
        if (id.present()) ++readers_[size_t(id.index)];
      if (!reads_needed(operation) || (operation.op && operation.op->gradient == no_gradient)) continue;
      for (const ValueId id : operation.outputs)
        if (id.present()) needs_[size_t(id.index)] = !program_.value(id).type || is_number(program_.value(id));
    }
  }

  bool reads_needed(const Operation& operation) const {
    return std::any_of(operation.inputs.begin(), operation.inputs.end(),
                       [&](ValueId id) { return id.present() && needs_[size_t(id.index)]; });
  }

  // A loop that bind() has not written out leaves values that no operation computes: what its body reads in a round,
  // and its results. Where the loss depends on one and parameters were read before it, they may be in the loop or
  // before it, and would be taken for parameters that are not trained.
  Status check_loops() const {
    const std::vector<bool> used = used_by_loss();
    std::vector<bool> computed(program_.values.size());
    for (const ValueId id : program_.inputs) computed[size_t(id.index)] = true;
    bool trained_before = false;
    for (const auto& operation : program_.operations) {
      for (const ValueId id : operation.inputs)
        if (id.present() && used[size_t(id.index)] && !computed[size_t(id.index)] && trained_before && is_result(id))
          return user_error(fmt::format("cannot be trained: it reads {}, the result of a loop that is not written out, "
                                        "so no gradient comes to the parameters in the loop and before it",
                                        in_quotes(program_.value(id).name)),
                            named("mode") + " inference")
              .in(place_of(operation));
      trained_before = trained_before || reads_needed(operation);
      for (const ValueId id : operation.outputs)
        if (id.present()) computed[size_t(id.index)] = true;
    }
    return {};
  }

  bool is_result(ValueId id) const {
    const ProgramValue& value = program_.value(id);
    return value.role == Role::activation && (!value.type || is_number(value));
  }

  // What the loss is computed from, as far as gradients would flow.
  std::vector<bool> used_by_loss() const {
    std::vector<bool> used(program_.values.size());
    used[size_t(program_.loss.index)] = true;
    for (size_t i = program_.operations.size(); i-- > 0;) {
      const Operation& operation = program_.operations[i];
      const bool counts = std::any_of(operation.outputs.begin(), operation.outputs.end(),
                                      [&](ValueId id) { return id.present() && used[size_t(id.index)]; });
      if (!counts || (operation.op && operation.op->gradient == no_gradient)) continue;
      for (const ValueId id : operation.inputs)
        if (id.present() && (!program_.value(id).type || is_number(program_.value(id)))) used[size_t(id.index)] = true;
    }
    return used;
  }

  void seed() {
    const TensorType type = *program_.value(program_.loss).type;
    // Formats that reference maths has no numbers of are planned, not run.
    Tensor one(type.dtype == DType::f64 ? type : TensorType{DType::f32, type.shape});
    for_float(one.type.dtype, [&](auto zero) { std::fill_n(one.as<decltype(zero)>(), one.size(), decltype(zero)(1)); });
    gradients_[size_t(program_.loss.index)] =
        program_.add({"loss.gradient", Role::constant, type, std::make_shared<Tensor>(std::move(one))});
  }

  // Of the operation's outputs. Appends to the program, so it is no longer where it was.
  Status complete_gradients(size_t operation) {
    if (waiting_.empty()) return {};
    const std::vector<ValueId> outputs = program_.operations[operation].outputs;
    for (const ValueId id : outputs) PLIM_TRY(sum_up(id));
    return {};
  }

  Status pass_back(const Operation& operation) {
    std::vector<ValueId> gradients;
    bool any = false;
    for (const ValueId id : operation.outputs) {
      gradients.push_back(id.present() ? gradients_[size_t(id.index)] : ValueId{});
      any = any || gradients.back().present();
    }
    std::vector<bool> wanted;
    bool wants = false;
    for (const ValueId id : operation.inputs) {
      wanted.push_back(id.present() && needs_[size_t(id.index)]);
      wants = wants || wanted.back();
    }
    if (!any || !wants) return {};
    PLIM_TRY(check(operation));
    const std::vector<ValueId> inputs = operation.inputs;
    Backward backward(program_, operation, std::move(gradients), std::move(wanted));
    operation.op->gradient(backward);  // appends to the program: `operation` is not to be used any more
    if (!backward.status().ok()) return backward.status();
    for (size_t i = 0; i < inputs.size(); ++i)
      if (backward.input_gradients()[i].present()) PLIM_TRY(add(inputs[i], backward.input_gradients()[i]));
    return {};
  }

  static std::string place_of(const Operation& operation) {
    return fmt::format("node {} ({})", in_quotes(operation.name), printable(operation.op_name, 80));
  }

  Status check(const Operation& operation) const {
    const std::string place = place_of(operation);
    if (!operation.op || operation.certainty == Certainty::unknown)
      return user_error("cannot be trained: the operation or its sizes are not known", named("mode") + " inference")
          .in(place);
    if (operation.repeat != Count(1))
      return user_error("cannot be trained: it is in a loop that is not written out", named("mode") + " inference")
          .in(place);
    if (!operation.op->gradient)
      return user_error("cannot be trained: it has no gradient rule", named("mode") + " inference").in(place);
    return {};
  }

  // In the format of the value itself, where rules that read parameters of another came to theirs.
  ValueId like(ValueId of, ValueId gradient) {
    const ProgramValue& value = program_.value(of);
    if (value.role == Role::parameter || !value.type || value.type->dtype == program_.value(gradient).type->dtype)
      return gradient;
    Operation cast = cast_to(program_, gradient, value.type->dtype);
    cast.phase = Phase::backward;
    program_.operations.push_back(cast);
    return cast.outputs[0];
  }

  // A value that is read in several places has the sum of their gradients.
  Status add(ValueId of, ValueId gradient) {
    gradient = like(of, gradient);
    ValueId& sum = gradients_[size_t(of.index)];
    if (!sum.present()) {
      sum = gradient;
      return {};
    }
    if (readers_[size_t(of.index)] <= kManyReaders) return append_sum("add", of, {sum, gradient});
    auto& waiting = waiting_[of];
    waiting.push_back(gradient);
    return waiting.size() + 1 < kSummedAtOnce ? Status() : sum_up(of);
  }

  // What still waits to be added to the gradient of a value with many readers.
  Status sum_up(ValueId of) {
    const auto found = waiting_.find(of);
    if (found == waiting_.end()) return {};
    std::vector<ValueId> inputs{gradients_[size_t(of.index)]};
    inputs.insert(inputs.end(), found->second.begin(), found->second.end());
    waiting_.erase(found);
    return append_sum("sum", of, std::move(inputs));
  }

  Status append_sum(std::string_view op, ValueId of, std::vector<ValueId> inputs) {
    Operation operation;
    operation.op = &op_named(op);
    operation.op_name = operation.op->name;
    operation.name = program_.value(of).name + ".gradient";
    operation.inputs = std::move(inputs);
    operation.phase = Phase::backward;
    PLIM_ASSIGN(const auto outputs, append(program_, std::move(operation), 1));
    gradients_[size_t(of.index)] = outputs[0];
    return {};
  }

  Result<std::vector<ParameterGradient>> collect() {
    std::vector<ParameterGradient> result;
    for (size_t i = 0; i < gradients_.size(); ++i) {
      if (program_.values[i].role != Role::parameter || !gradients_[i].present()) continue;
      PLIM_TRY(sum_up({int32_t(i)}));
      const ProgramValue& value = program_.values[i];
      result.push_back({{int32_t(i)}, gradients_[i]});
      ProgramValue& gradient = program_.value(gradients_[i]);
      gradient.role = Role::gradient;
      gradient.name = value.name + ".gradient";
    }
    if (result.empty()) return user_error("no parameter takes part in the loss, so there is nothing to train");
    return result;
  }

  Program& program_;
  std::vector<bool> needs_;
  std::vector<int32_t> readers_;
  std::map<ValueId, std::vector<ValueId>> waiting_;  // gradients not yet added to those of their value
  std::vector<ValueId> gradients_;                   // of each forward value, as far as it is summed up
};

}  // namespace

Result<std::vector<ParameterGradient>> differentiate(Program& program) { return Differentiator(program).run(); }

}  // namespace plimsoll
