// What losses share: how single losses are reduced to one number, and the op made from the loss of
// one prediction against one target.
#pragma once

#include <vector>

#include "model/ir/backward.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"

namespace plimsoll {

enum class LossReduction { none, sum, mean };

// The attribute "reduction": mean unless it says sum or none.
Result<LossReduction> reduction_of(const Attributes& attributes);

// The type of the reduced loss: of `all` for none, else a scalar.
TensorType reduced_type(LossReduction reduction, const TensorType& all);

// The losses, their sum, or their mean: the sum divided by `weight`.
std::vector<double> reduced(LossReduction reduction, std::vector<double> losses, double weight);

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

// dprediction = slope · dloss, divided by the count for the mean.
template <class F>
bool elementwise_loss_grad_reference(const OpCall& call, std::span<const TensorView> in,
                                     std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dloss = read_doubles(in[0]), predictions = read_doubles(in[1]), targets = read_doubles(in[2]);
  const LossReduction reduction = *reduction_of(call.attributes);
  const double share = reduction == LossReduction::mean ? 1 / double(predictions.size()) : 1;
  std::vector<double> dx(predictions.size());
  for (size_t i = 0; i < dx.size(); ++i)
    dx[i] = F::slope(predictions[i], targets[i]) * (reduction == LossReduction::none ? dloss[i] : dloss[0]) * share;
  write_doubles(out, 0, dx);
  return true;
}

template <class F>
void elementwise_loss_gradient(Backward& backward) {
  static const std::string name = std::string(backward.op().name) + "_grad";
  static const Op grad{
      .name = name,
      .kind = OpKind::loss,
      .onnx = {},
      .required_inputs = 3,
      .infer = [](const OpCall& call) -> Result<std::vector<TensorType>> { return std::vector{call.type(1)}; },
      .cost =
          [](const OpCall& call) {
            return Cost{{}, as<Flops>(call.type(1).elements() * F::kSlopeFlops)};
          },
      .reference = elementwise_loss_grad_reference<F>,
      .elementwise = true};
  if (backward.wants(1)) return backward.fail("its targets have no gradient");
  if (backward.wants(0))
    backward.set(
        0, backward.emit(grad, {backward.gradient(), backward.input(0), backward.input(1)}, backward.attributes()));
}

// F::loss(prediction, target) at F::kFlops operations each, the sum included; F::slope its derivative.
template <class F>
Op elementwise_loss_op(std::string_view name) {
  Op op;
  op.name = name;
  op.kind = OpKind::loss;
  op.roles = "xt";
  op.required_inputs = 2;
  op.infer = infer_elementwise_loss;
  op.cost = [](const OpCall& call) { return Cost{{}, as<Flops>(call.type(0).elements() * F::kFlops)}; };
  op.reference = elementwise_loss_reference<F>;
  op.gradient = elementwise_loss_gradient<F>;
  op.examples = elementwise_loss_examples;
  return op;
}

}  // namespace plimsoll
