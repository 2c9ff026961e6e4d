#include "model/ops/loss.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

Result<Reduction> reduction_of(const Attributes& attributes) {
  const std::string name = attributes.text("reduction", "mean");
  if (name == "none") return Reduction::none;
  if (name == "sum") return Reduction::sum;
  if (name == "mean") return Reduction::mean;
  return user_error(fmt::format("reduction is {}, expected none, sum or mean", in_quotes(name)));
}

TensorType reduced_type(Reduction reduction, const TensorType& all) {
  return reduction == Reduction::none ? all : TensorType{all.dtype, {}};
}

std::vector<double> reduced(Reduction reduction, std::vector<double> losses, double weight) {
  if (reduction == Reduction::none) return losses;
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return {reduction == Reduction::sum ? sum : sum / weight};
}

Result<std::vector<TensorType>> infer_elementwise_loss(const OpCall& call) {
  if (call.shape(0) != call.shape(1))
    return user_error(fmt::format("predictions have the shape {}, targets {}: expected one shape", call.shape(0).text(),
                                  call.shape(1).text()));
  PLIM_ASSIGN(Reduction reduction, reduction_of(call.attributes));
  return std::vector{reduced_type(reduction, call.type(0))};
}

std::vector<OpExample> elementwise_loss_examples() {
  using example::f32;
  return {{"mean", {}, {f32({2, 3}), f32({2, 3})}},
          {"none", {{"reduction", std::string("none")}}, {f32({2, 3, 4}), f32({2, 3, 4})}},
          {"sum", {{"reduction", std::string("sum")}}, {f32({2}), f32({2})}}};
}

}  // namespace plimsoll
