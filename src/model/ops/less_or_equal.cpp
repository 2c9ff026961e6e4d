// less_or_equal: is a ≤ b, with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct LessOrEqual {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit LessOrEqual(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};

}  // namespace

const Op& less_or_equal_op() {
  static const Op op = comparison_op<LessOrEqual>("less_or_equal", {"LessOrEqual"});
  return op;
}

}  // namespace plimsoll
