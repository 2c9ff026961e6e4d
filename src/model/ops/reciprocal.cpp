// reciprocal: 1 / x.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Reciprocal {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = false;
  explicit Reciprocal(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return T(1) / x;
  }
};

}  // namespace

const Op& reciprocal_op() {
  static const Op op = unary_op<Reciprocal>("reciprocal", {"Reciprocal"});
  return op;
}

}  // namespace plimsoll
