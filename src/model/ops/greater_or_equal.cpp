// greater_or_equal: is a ≥ b, with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct GreaterOrEqual {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit GreaterOrEqual(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

}  // namespace

const Op& greater_or_equal_op() {
  static const Op op = comparison_op<GreaterOrEqual>("greater_or_equal", {"GreaterOrEqual"});
  return op;
}

}  // namespace plimsoll
