// mod: what is left of a / b, with broadcasting: of b's sign, or of a's with `fmod`. Integers by 0 give 0.
#include <cmath>

#include "model/ops/elementwise.h"

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
    return mod;
  }();
  return op;
}

}  // namespace plimsoll
