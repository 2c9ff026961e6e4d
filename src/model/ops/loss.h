// What losses share: how single losses are reduced to one number, and the op made from the loss of
// one prediction against one target.
#pragma once

#include <vector>

#include "model/ops/doubles.h"
#include "model/ops/example.h"

namespace plimsoll {

enum class Reduction { none, sum, mean };

// The attribute "reduction": mean unless it says sum or none.
Result<Reduction> reduction_of(const Attributes& attributes);

// The type of the reduced loss: of `all` for none, else a scalar.
TensorType reduced_type(Reduction reduction, const TensorType& all);

// The losses, their sum, or their mean: the sum divided by `weight`.
std::vector<double> reduced(Reduction reduction, std::vector<double> losses, double weight);

Result<std::vector<TensorType>> infer_elementwise_loss(const OpCall& call);
std::vector<OpExample> elementwise_loss_examples();

template <class F>
bool elementwise_loss_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto predictions = read_doubles(in[0]), targets = read_doubles(in[1]);
  std::vector<double> losses(predictions.size());
  for (size_t i = 0; i < losses.size(); ++i) losses[i] = F::loss(predictions[i], targets[i]);
  const auto count = double(losses.size());
  write_doubles(out, 0, reduced(*reduction_of(call.attributes), std::move(losses), count));
  return true;
}

// F::loss(prediction, target) at F::kFlops operations each, the sum included.
template <class F>
Op elementwise_loss_op(std::string_view name) {
  Op op;
  op.name = name;
  op.required_inputs = 2;
  op.infer = infer_elementwise_loss;
  op.cost = [](const OpCall& call) { return Cost{{}, as<Flops>(call.type(0).elements() * F::kFlops)}; };
  op.reference = elementwise_loss_reference<F>;
  op.examples = elementwise_loss_examples;
  return op;
}

}  // namespace plimsoll
