// acos: the angle of a cosine, in radians; not a number outside -1 … 1.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Acos {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Acos(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::acos(x);
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    return T(-1) / std::sqrt(T(1) - x * x);
  }
};

}  // namespace

const Op& acos_op() {
  static const Op op = unary_op<Acos>("acos", {"Acos"});
  return op;
}

}  // namespace plimsoll
