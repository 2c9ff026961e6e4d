// ceil: the smallest whole number that is not below x.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Ceil {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = false;
  explicit Ceil(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};

}  // namespace

const Op& ceil_op() {
  static const Op op = with_gradient(unary_op<Ceil>("ceil", {"Ceil"}), no_gradient);
  return op;
}

}  // namespace plimsoll
