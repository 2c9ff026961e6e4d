#include "model/ops/loss.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

Result<LossReduction> reduction_of(const Attributes& attributes) {
  const std::string name = attributes.text("reduction", "mean");
  if (name == "none") return LossReduction::none;
  if (name == "sum") return LossReduction::sum;
  if (name == "mean") return LossReduction::mean;
  return user_error(fmt::format("reduction is {}, expected none, sum or mean", in_quotes(name)));
}

TensorType reduced_type(LossReduction reduction, const TensorType& all) {
  return reduction == LossReduction::none ? all : TensorType{all.dtype, {}};
}

std::vector<double> reduced(LossReduction reduction, std::vector<double> losses, double weight) {
  if (reduction == LossReduction::none) return losses;
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return {reduction == LossReduction::sum ? sum : sum / weight};
}

Result<std::vector<TensorType>> infer_elementwise_loss(const OpCall& call) {
  if (call.shape(0) != call.shape(1))
    return user_error(fmt::format("predictions have the shape {}, targets {}: expected one shape", call.shape(0).text(),
                                  call.shape(1).text()));
  PLIM_ASSIGN(LossReduction reduction, reduction_of(call.attributes));
  return std::vector{reduced_type(reduction, call.type(0))};
}

std::vector<OpExample> elementwise_loss_examples() {
  using example::f32;
  return {{"mean", {}, {f32({2, 3}), f32({2, 3})}},
          {"none", {{"reduction", std::string("none")}}, {f32({2, 3, 4}), f32({2, 3, 4})}},
          {"sum", {{"reduction", std::string("sum")}}, {f32({2}), f32({2})}}};
}

}  // namespace plimsoll
