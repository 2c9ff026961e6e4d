// sub: a - b, with broadcasting.
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Sub {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Sub(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_subtract(a, b);
  }
};

}  // namespace

const Op& sub_op() {
  static const Op op = binary_op<Sub>("sub", {"Sub"});
  return op;
}

}  // namespace plimsoll
