// pow: a to the power of b, with broadcasting. The exponent may be of another type; the result is of
// the base's. Integers wrap, and a whole power below 0 gives 0 unless the base is 1 or -1.
#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
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

// dy · b · a^(b - 1), from dy, a and b; 0 to the power of 0 does not move.
bool reference_by_base(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto result = read_doubles(in[0]);
  const auto a = read_doubles(in[1]), b = read_doubles(in[2]);
  broadcast_walk<2>(out[0].shape(), {&in[1].shape(), &in[2].shape()}, [&](int64_t i, const auto& at) {
    const double base = a[size_t(at[0])], exponent = b[size_t(at[1])];
    result[size_t(i)] *= exponent == 0 ? 0 : exponent * std::pow(base, exponent - 1);
  });
  write_doubles(out, 0, result);
  return true;
}

// dy · y · log a, from dy, a and y; powers of 0 do not move.
bool reference_by_exponent(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto result = read_doubles(in[0]);
  const auto a = read_doubles(in[1]), y = read_doubles(in[2]);
  broadcast_walk<1>(out[0].shape(), {&in[1].shape()}, [&](int64_t i, const auto& at) {
    const double base = a[size_t(at[0])];
    result[size_t(i)] *= base == 0 ? 0 : y[size_t(i)] * std::log(base);
  });
  write_doubles(out, 0, result);
  return true;
}

template <int flops>
Op grad_op(std::string_view name, Reference reference) {
  return {.name = name,
          .onnx = {},
          .required_inputs = 3,
          .infer = same_type,
          .cost = elementwise_cost<flops>,
          .reference = reference,
          .elementwise = true};
}

void gradient_pow(Backward& backward) {
  static const Op by_base = grad_op<kTranscendental + 3>("pow_grad_base", reference_by_base);
  static const Op by_exponent = grad_op<kTranscendental + 2>("pow_grad_exponent", reference_by_exponent);
  const ValueId dy = backward.gradient(), a = backward.input(0);
  if (backward.wants(0)) backward.set(0, like_input(backward, 0, backward.emit(by_base, {dy, a, backward.input(1)})));
  if (!backward.wants(1)) return;
  if (!is_floating(backward.call().dtype(1))) return backward.fail("a whole exponent has no gradient");
  backward.set(1, like_input(backward, 1, backward.emit(by_exponent, {dy, a, backward.output(0)})));
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
                     .gradient = gradient_pow,
                     .examples = examples_pow,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
