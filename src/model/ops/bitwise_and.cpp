// bitwise_and: a & b, bit by bit, of integers with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct BitwiseAnd {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::integer;
  explicit BitwiseAnd(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

}  // namespace

const Op& bitwise_and_op() {
  static const Op op = binary_op<BitwiseAnd>("bitwise_and", {"BitwiseAnd"});
  return op;
}

}  // namespace plimsoll
