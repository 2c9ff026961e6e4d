// mul: a · b, with broadcasting.
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Mul {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Mul(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_multiply(a, b);
  }
};

}  // namespace

const Op& mul_op() {
  static const Op op = binary_op<Mul>("mul", {"Mul"});
  return op;
}

}  // namespace plimsoll
