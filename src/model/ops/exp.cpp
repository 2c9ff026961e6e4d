// exp: e to the power of x.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Exp {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kSlopeFromOutput = true;
  static constexpr bool kIntegers = false;
  explicit Exp(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::exp(x);
  }
  static constexpr int kSlopeFlops = 0;
  template <class T>
  T slope(T y) const {
    return y;
  }
};

}  // namespace

const Op& exp_op() {
  static const Op op = unary_op<Exp>("exp", {"Exp"});
  return op;
}

}  // namespace plimsoll
