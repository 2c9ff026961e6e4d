// atan: the angle of a tangent, in radians.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Atan {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Atan(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::atan(x);
  }
  static constexpr int kSlopeFlops = 3;
  template <class T>
  T slope(T x) const {
    return T(1) / (T(1) + x * x);
  }
};

}  // namespace

const Op& atan_op() {
  static const Op op = unary_op<Atan>("atan", {"Atan"});
  return op;
}

}  // namespace plimsoll
