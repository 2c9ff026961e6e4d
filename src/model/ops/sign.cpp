// sign: -1, 0 or 1; what is not a number stays so.
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Sign {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = true;
  explicit Sign(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_signed_v<T>)
      if (x < T(0)) return T(-1);
    return x > T(0) ? T(1) : x;
  }
};

}  // namespace

const Op& sign_op() {
  static const Op op = with_gradient(unary_op<Sign>("sign", {"Sign"}), no_gradient);
  return op;
}

}  // namespace plimsoll
