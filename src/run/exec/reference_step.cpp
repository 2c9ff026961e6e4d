#include "run/exec/reference_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "model/ir/for_type.h"

namespace plimsoll {
namespace {

std::vector<TensorView> views(const Program& program, const std::vector<ValueId>& ids, const PlannedMemory& memory) {
  std::vector<TensorView> result;
  for (const ValueId id : ids) {
    const bool there = id.present() && program.value(id).type;
    result.push_back(there ? TensorView(*program.value(id).type, memory.of(id)) : TensorView());
  }
  return result;
}

bool computes_with(const TensorType& type) {
  return for_type(type.dtype, [](auto) {});
}

constexpr int64_t kSmallTrial = 1 << 20;  // numbers and operations: a trial that nobody notices

// Some maths declines what its types, settings or known contents come to; nothing but trying tells. On zeros, unless
// that would take long. What only the data decides, or is too large to try, ends as not-a-number at the run.
bool declines(const Program& program, const Operation& operation) {
  const OpCall call = call_of(program, operation);
  const auto empty = [](const TensorType& type) { return type.elements() == Count(0); };
  if (std::all_of(call.outputs.begin(), call.outputs.end(), empty)) return false;  // its other sizes may be huge
  const Flops flops = operation.op->cost ? operation.op->cost(call).flops : Flops(0);
  Count numbers(0);
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i)) numbers += call.type(i).elements();
  for (const auto& type : call.outputs) numbers += type.elements();
  if (!(flops <= Flops(kSmallTrial)) || !(numbers <= Count(kSmallTrial))) return false;
  std::vector<Tensor> tensors;
  std::vector<TensorView> inputs, outputs;
  tensors.reserve(operation.inputs.size() + operation.outputs.size());
  const auto zeros = [&](ValueId id) {
    return id.present() ? TensorView(tensors.emplace_back(*program.value(id).type)) : TensorView();
  };
  for (size_t i = 0; i < operation.inputs.size(); ++i) {
    inputs.push_back(zeros(operation.inputs[i]));
    const Tensor* known = call.constant(i);
    if (known && known->bytes.size() == tensors.back().bytes.size()) tensors.back().bytes = known->bytes;
    if (inputs.back().present()) inputs.back() = TensorView(tensors.back());
  }
  for (const ValueId id : operation.outputs) outputs.push_back(zeros(id));
  return !operation.op->reference(call, inputs, outputs);
}

Error cannot_run(const Operation& operation, const std::string& why) {
  return user_error(fmt::format("operation {} {}", in_quotes(operation.op_name), why),
                    "plimsoll can weigh and plan it, but not run it")
      .in("node " + in_quotes(operation.name));
}

// Not-a-number all over, so that whoever trains is told of it, and of the operation.
void spoil(const TensorView& output) {
  if (!output.present()) return;
  for_float(output.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::fill_n(output.as<T>(), output.size(), std::numeric_limits<T>::quiet_NaN());
  });
}

}  // namespace

ReferenceStep::ReferenceStep(const Program& program, const Operation& operation, const PlannedMemory& memory)
    : ReferenceStep(program, operation, views(program, operation.inputs, memory),
                    views(program, operation.outputs, memory)) {}

ReferenceStep::ReferenceStep(const Program& program, const Operation& operation, std::vector<TensorView> inputs,
                             std::vector<TensorView> outputs)
    : operation_(&operation),
      call_(call_of(program, operation)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)) {}

bool ReferenceStep::is_view() const {
  return operation_->op->storage == Storage::view && outputs_[0].data == inputs_[0].data;
}

void ReferenceStep::run() {
  if (is_view()) return;
  if (!operation_->op->reference(call_, inputs_, outputs_)) {
    for (const auto& output : outputs_) spoil(output);
    return;
  }
  if (!operation_->then) return;
  const std::vector<TensorView> first{outputs_[0]};
  static const Attributes none;
  OpCall then(none, {outputs_[0].type}, {nullptr}, 1);
  then.outputs = {*outputs_[0].type};
  PLIM_CHECK(operation_->then->reference(then, first, first), "reference maths declined at run time");
}

Status check_has_reference(const Program& program, const Operation& operation) {
  const auto fail = [&](const std::string& why) { return cannot_run(operation, why); };
  if (!operation.op) return fail("is not known");
  if (!operation.op->reference) return fail("has no maths to run it by");
  if (operation.repeat != Count(1)) return fail("is inside a loop");
  for (const auto& ids : {operation.inputs, operation.outputs})
    for (const ValueId id : ids)
      if (id.present() && !program.value(id).type) return fail("works on values of unknown size");
  for (const auto& ids : {operation.inputs, operation.outputs})
    for (const ValueId id : ids)
      if (id.present() && !computes_with(*program.value(id).type))
        return fail(
            fmt::format("works on {}, which nothing here computes with", info(program.value(id).type->dtype).name));
  return {};
}

Status check_reference_runs(const Program& program, const Operation& operation) {
  if (operation.op->storage == Storage::view || !declines(program, operation)) return {};
  return cannot_run(operation, "has no maths for these types and settings");
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace plimsoll
