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
};

}  // namespace

const Op& acosh_op() {
  static const Op op = unary_op<Acosh>("acosh", {"Acosh"});
  return op;
}

}  // namespace plimsoll
