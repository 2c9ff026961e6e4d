// softsign: x / (1 + |x|).
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Softsign {
  static constexpr int kFlops = 3;
  static constexpr bool kIntegers = false;
  explicit Softsign(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::abs(x));
  }
};

}  // namespace

const Op& softsign_op() {
  static const Op op = unary_op<Softsign>("softsign", {"Softsign"});
  return op;
}

}  // namespace plimsoll
