// less: is a < b, with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Less {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Less(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};

}  // namespace

const Op& less_op() {
  static const Op op = comparison_op<Less>("less", {"Less"});
  return op;
}

}  // namespace plimsoll
