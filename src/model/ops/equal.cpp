// equal: is a = b, with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Equal {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::any;
  explicit Equal(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};

}  // namespace

const Op& equal_op() {
  static const Op op = comparison_op<Equal>("equal", {"Equal"});
  return op;
}

}  // namespace plimsoll
