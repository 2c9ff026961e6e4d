// and: both, of bools with broadcasting. The file is named around a word that C++ keeps.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct LogicalAnd {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::boolean;
  explicit LogicalAnd(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a && b;
  }
};

}  // namespace

const Op& logical_and_op() {
  static const Op op = comparison_op<LogicalAnd>("and", {"And"});
  return op;
}

}  // namespace plimsoll
