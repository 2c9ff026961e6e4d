// xor: one of the two, of bools with broadcasting. The file is named around a word that C++ keeps.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct LogicalXor {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::boolean;
  explicit LogicalXor(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};

}  // namespace

const Op& logical_xor_op() {
  static const Op op = comparison_op<LogicalXor>("xor", {"Xor"});
  return op;
}

}  // namespace plimsoll
