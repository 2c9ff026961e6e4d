// log: the natural logarithm; not a number below 0.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Log {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Log(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::log(x);
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T x) const {
    return T(1) / x;
  }
};

}  // namespace

const Op& log_op() {
  static const Op op = unary_op<Log>("log", {"Log"});
  return op;
}

}  // namespace plimsoll
