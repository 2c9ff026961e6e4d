// mod: what is left of a / b, with broadcasting: of b's sign, or of a's with `fmod`. Integers by 0 give 0.
#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Mod {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Mod(const Attributes& attributes) : sign_of_a(attributes.integer("fmod", 0) != 0) {}
  template <class T>
  T operator()(T a, T b) const {
    T left = remainder(a, b);
    if constexpr (std::is_signed_v<T>)
      if (!sign_of_a && left != T(0) && (left < T(0)) != (b < T(0))) left = T(left + b);
    return left;
  }
  bool sign_of_a;

 private:
  template <class T>
  static T remainder(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return std::fmod(a, b);
    else if constexpr (std::is_signed_v<T>) return b == T(0) || b == T(-1) ? T(0) : T(a % b);
    else return b == T(0) ? T(0) : T(a % b);
  }
};

// What is left of a / b is a - n · b: moved by b it is -dy · n, from dy, a and b.
bool reference_by_divisor(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const bool sign_of_a = call.attributes.integer("fmod", 0) != 0;
  auto result = read_doubles(in[0]);
  const auto a = read_doubles(in[1]), b = read_doubles(in[2]);
  broadcast_walk<2>(out[0].shape(), {&in[1].shape(), &in[2].shape()}, [&](int64_t i, const auto& at) {
    const double quotient = a[size_t(at[0])] / b[size_t(at[1])];
    result[size_t(i)] *= -(sign_of_a ? std::trunc(quotient) : std::floor(quotient));
  });
  write_doubles(out, 0, result);
  return true;
}

const Op& mod_grad_divisor() {
  static const Op op{.name = "mod_grad_divisor",
                     .onnx = {},
                     .required_inputs = 3,
                     .infer = same_type,
                     .cost = elementwise_cost<4>,
                     .reference = reference_by_divisor,
                     .elementwise = true};
  return op;
}

void gradient_mod(Backward& backward) {
  const ValueId dy = backward.gradient();
  if (backward.wants(0)) backward.set(0, like_input(backward, 0, dy));
  if (backward.wants(1))
    backward.set(1, like_input(backward, 1,
                               backward.emit(mod_grad_divisor(), {dy, backward.input(0), backward.input(1)},
                                             backward.attributes())));
}

std::vector<OpExample> examples_mod() {
  auto examples = integer_binary_examples();
  examples.push_back({"floats", {{"fmod", int64_t{1}}}, {{{DType::f32, {2, 3}}}, {{DType::f32, {2, 3}}}}});
  return examples;
}

}  // namespace

const Op& mod_op() {
  static const Op op = [] {
    Op mod = binary_op<Mod>("mod", {"Mod"});
    mod.examples = examples_mod;
    mod.gradient = gradient_mod;
    return mod;
  }();
  return op;
}

}  // namespace plimsoll
