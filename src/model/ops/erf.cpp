// erf: the Gauss error function.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Erf {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Erf(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::erf(x);
  }
};

}  // namespace

const Op& erf_op() {
  static const Op op = unary_op<Erf>("erf", {"Erf"});
  return op;
}

}  // namespace plimsoll
