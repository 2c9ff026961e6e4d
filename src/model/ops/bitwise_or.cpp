// bitwise_or: a | b, bit by bit, of integers with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct BitwiseOr {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::integer;
  explicit BitwiseOr(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

}  // namespace

const Op& bitwise_or_op() {
  static const Op op = binary_op<BitwiseOr>("bitwise_or", {"BitwiseOr"});
  return op;
}

}  // namespace plimsoll
