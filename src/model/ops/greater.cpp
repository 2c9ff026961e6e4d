// greater: is a > b, with broadcasting.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Greater {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Greater(const Attributes&) {}
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};

}  // namespace

const Op& greater_op() {
  static const Op op = comparison_op<Greater>("greater", {"Greater"});
  return op;
}

}  // namespace plimsoll
