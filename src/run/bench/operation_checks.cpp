#include "run/bench/operation_checks.h"

#include <cmath>

#include "run/exec/reference_step.h"
#include "run/exec/step_results.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostComparedFlops = int64_t{2} << 30;  // the reference maths takes seconds for them

// The largest difference, as a share of the largest number that is expected.
double difference(const Tensor& found, const Tensor& expected) {
  if (!is_floating(expected.type.dtype)) return found.bytes == expected.bytes ? 0 : 1;
  const auto ours = found.doubles(), wanted = expected.doubles();
  double largest = 0, off = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!std::isfinite(wanted[i])) continue;
    largest = std::max(largest, std::abs(wanted[i]));
    off = std::max(off, std::isfinite(ours[i]) ? std::abs(ours[i] - wanted[i]) : INFINITY);
  }
  return off == 0 ? 0 : off / std::max(largest, 1e-30);
}

}  // namespace

bool OperationChecks::same_type(ValueId id) const {
  return size_t(id.index) < step_.values.size() && executor_.program().value(id).type == step_.value(id).type;
}

std::string OperationChecks::why_not(size_t index) const {
  const Operation& operation = executor_.program().operations[index];
  if (!operation.op || !operation.op->reference) return "it has no reference maths";
  if (!(operation.cost.flops <= Flops(kMostComparedFlops))) return "the reference maths would take long";
  for (const auto* ids : {&operation.inputs, &operation.outputs})
    for (const ValueId id : *ids) {
      if (!id.present()) continue;
      if (!executor_.program().value(id).type) return "its sizes are not known";
      if (!same_type(id)) return "it keeps positions in a form of its own";
    }
  return "";
}

Tensor OperationChecks::numbers_of(ValueId id) const {
  if (!id.present()) return {};
  const ProgramValue& value = executor_.program().value(id);
  if (value.constant) return *value.constant;
  Tensor tensor(*value.type);
  if (executor_.plan().storage_of.at(size_t(id.index)) >= 0) executor_.read(id, tensor.bytes);
  return tensor;
}

void OperationChecks::before(size_t index) {
  const auto& operations = executor_.program().operations;
  if (index >= operations.size() || operations[index].op->storage == Storage::view) return;
  const std::string why = why_not(index);
  if (!why.empty()) {
    left_out_[operations[index].label()] = why;
    return;
  }
  Read& read = read_[index];
  for (const ValueId id : operations[index].inputs) read.inputs.push_back(numbers_of(id));
}

void OperationChecks::after(size_t index) {
  const auto found = read_.find(index);
  if (found == read_.end()) return;
  Read read = std::move(found->second);
  read_.erase(found);
  const Operation& operation = executor_.program().operations[index];
  std::vector<TensorView> inputs, outputs;
  for (size_t i = 0; i < read.inputs.size(); ++i)
    inputs.push_back(operation.inputs[i].present() ? TensorView(read.inputs[i]) : TensorView());
  for (const ValueId id : operation.outputs)
    read.outputs.push_back(id.present() ? Tensor(*executor_.program().value(id).type) : Tensor());
  for (size_t i = 0; i < read.outputs.size(); ++i)
    outputs.push_back(operation.outputs[i].present() ? TensorView(read.outputs[i]) : TensorView());
  ReferenceStep(executor_.program(), operation, std::move(inputs), std::move(outputs)).run();
  Worst& worst = worst_[operation.label()];
  ++worst.count;
  for (size_t i = 0; i < read.outputs.size(); ++i) {
    if (!operation.outputs[i].present()) continue;
    const double error = difference(numbers_of(operation.outputs[i]), read.outputs[i]);
    if (error < worst.error) continue;
    worst.error = error;
    worst.where = operation.name;
  }
}

void OperationChecks::run() {
  before(0);
  executor_.tell_of_each([this](size_t index) {
    after(index);
    if (index + 1 < first_update(executor_.program())) before(index + 1);
  });
  executor_.compute();
  executor_.tell_of_each({});
  if (!executor_.program().loss.present()) return;
  const size_t operations = executor_.program().operations.size();
  for (size_t i = first_update(executor_.program()); i < operations; ++i) before(i);
  executor_.update();
  for (size_t i = first_update(executor_.program()); i < operations; ++i) after(i);
}

Json OperationChecks::compared(double tolerance) const {
  Json rows = Json::array();
  for (const auto& [op, worst] : worst_)
    rows.push_back({{"op", op},
                    {"operations", worst.count},
                    {"largest_error", worst.error},
                    {"at", worst.where},
                    {"agrees", worst.error <= tolerance}});
  return rows;
}

Json OperationChecks::not_compared() const {
  Json rows = Json::array();
  for (const auto& [op, why] : left_out_) rows.push_back({{"op", op}, {"why", why}});
  return rows;
}

bool OperationChecks::agree(double tolerance) const {
  for (const auto& [op, worst] : worst_)
    if (!(worst.error <= tolerance)) return false;
  return true;
}

}  // namespace plimsoll
