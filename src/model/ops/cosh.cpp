// cosh: the hyperbolic cosine.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Cosh {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Cosh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::cosh(x);
  }
  static constexpr int kSlopeFlops = kTranscendental;
  template <class T>
  T slope(T x) const {
    return std::sinh(x);
  }
};

}  // namespace

const Op& cosh_op() {
  static const Op op = unary_op<Cosh>("cosh", {"Cosh"});
  return op;
}

}  // namespace plimsoll
