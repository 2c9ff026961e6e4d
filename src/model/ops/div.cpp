// div: a / b, with broadcasting. Integers are cut towards 0; by 0 they give 0.
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Div {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Div(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return wrapping_divide(a, b);
    else return a / b;
  }
};

}  // namespace

const Op& div_op() {
  static const Op op = binary_op<Div>("div", {"Div"});
  return op;
}

}  // namespace plimsoll
