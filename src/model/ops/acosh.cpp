// acosh: the inverse hyperbolic cosine; not a number below 1.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Acosh {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Acosh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::acosh(x);
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    return T(1) / std::sqrt(x * x - T(1));
  }
};

}  // namespace

const Op& acosh_op() {
  static const Op op = unary_op<Acosh>("acosh", {"Acosh"});
  return op;
}

}  // namespace plimsoll
