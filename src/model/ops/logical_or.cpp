// or: either or both, of bools with broadcasting. The file is named around a word that C++ keeps.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct LogicalOr {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::boolean;
  explicit LogicalOr(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a || b;
  }
};

}  // namespace

const Op& logical_or_op() {
  static const Op op = comparison_op<LogicalOr>("or", {"Or"});
  return op;
}

}  // namespace plimsoll
