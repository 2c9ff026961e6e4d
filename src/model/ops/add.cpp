// add: a + b, with broadcasting.
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Add {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Add(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(wrapping_add(a, b));
  }
};

}  // namespace

const Op& add_op() {
  static const Op op = binary_op<Add>("add", {"Add"});
  return op;
}

}  // namespace plimsoll
