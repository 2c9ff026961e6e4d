// prelu: x, or slope · x below 0; the slope is learned and broadcasts to x's shape.
#include <fmt/format.h>

#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct PRelu {
  static constexpr int kFlops = 2;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit PRelu(const Attributes&) {}
  template <class T>
  T operator()(T x, T slope) const {
    if constexpr (std::is_signed_v<T>) return x < T(0) ? wrapping_multiply(slope, x) : x;
    else return x;
  }
};

Result<std::vector<TensorType>> infer_prelu(const OpCall& call) {
  const auto shape = broadcast(call.shape(0), call.shape(1));
  if (!shape.ok() || *shape != call.shape(0))
    return user_error(
        fmt::format("slope of shape {} does not broadcast to x, {}", call.shape(1).text(), call.shape(0).text()));
  return same_type(call);
}

std::vector<OpExample> examples_prelu() {
  return {{"one slope", {}, {{{DType::f32, {2, 3, 4}}}, {{DType::f32, {1}}}}},
          {"one a channel", {}, {{{DType::f32, {2, 3, 4, 4}}}, {{DType::f32, {3, 1, 1}}}}}};
}

}  // namespace

const Op& prelu_op() {
  static const Op op = [] {
    Op prelu = binary_op<PRelu>("prelu", {"PRelu"});
    prelu.roles = "xw";
    prelu.infer = infer_prelu;
    prelu.examples = examples_prelu;
    return prelu;
  }();
  return op;
}

}  // namespace plimsoll
