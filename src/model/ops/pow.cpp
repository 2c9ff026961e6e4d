// pow: a to the power of b, with broadcasting. The exponent may be of another type; the result is of
// the base's. Integers wrap, and a whole power below 0 gives 0 unless the base is 1 or -1.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/saturating.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

template <class T, class E>
T whole_power(T base, E exponent) {
  if constexpr (std::is_signed_v<E>)
    if (exponent < 0) {
      if (base == T(1)) return T(1);
      if (base != T(-1) || std::is_unsigned_v<T>) return T(0);
      return exponent % 2 == 0 ? T(1) : T(-1);
    }
  T result = 1;
  for (auto left = std::make_unsigned_t<E>(exponent); left > 0; left = decltype(left)(left >> 1)) {
    if (left & 1) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}

template <class T, class E>
T power(T base, E exponent) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) return whole_power(base, exponent);
  else return convert_number<T>(std::pow(double(base), double(exponent)));
}

bool reference_pow(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  bool computed = false;
  for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    computed = for_number(in[1].dtype(), [&](auto one) {
      using E = decltype(one);
      broadcast_walk<2>(out[0].shape(), {&in[0].shape(), &in[1].shape()}, [&](int64_t i, const auto& at) {
        out[0].as<T>()[i] = power(in[0].as<T>()[at[0]], in[1].as<E>()[at[1]]);
      });
    });
  });
  return computed;
}

std::vector<OpExample> examples_pow() {
  auto examples = binary_examples();
  examples.push_back({"whole exponents", {}, {{{DType::f32, {2, 3}}}, {{DType::i64, {2, 1}}}}});
  return examples;
}

}  // namespace

const Op& pow_op() {
  static const Op op{.name = "pow",
                     .onnx = {"Pow"},
                     .required_inputs = 2,
                     .infer = broadcast_type,
                     .cost = elementwise_cost<kTranscendental>,
                     .reference = reference_pow,
                     .examples = examples_pow};
  return op;
}

}  // namespace plimsoll
