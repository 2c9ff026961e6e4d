// bitwise_xor: a ^ b, bit by bit, of integers with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct BitwiseXor {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::integer;
  explicit BitwiseXor(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace

const Op& bitwise_xor_op() {
  static const Op op = binary_op<BitwiseXor>("bitwise_xor", {"BitwiseXor"});
  return op;
}

}  // namespace plimsoll
