// reciprocal: 1 / x.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Reciprocal {
  static constexpr int kFlops = 1;
  static constexpr bool kSlopeFromOutput = true;
  static constexpr bool kIntegers = false;
  explicit Reciprocal(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return T(1) / x;
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return -y * y;
  }
};

}  // namespace

const Op& reciprocal_op() {
  static const Op op = unary_op<Reciprocal>("reciprocal", {"Reciprocal"});
  return op;
}

}  // namespace plimsoll
