// cos: the cosine, x in radians.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Cos {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Cos(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::cos(x);
  }
  static constexpr int kSlopeFlops = kTranscendental + 1;
  template <class T>
  T slope(T x) const {
    return -std::sin(x);
  }
};

}  // namespace

const Op& cos_op() {
  static const Op op = unary_op<Cos>("cos", {"Cos"});
  return op;
}

}  // namespace plimsoll
