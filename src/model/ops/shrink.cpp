// shrink: x pulled towards 0 by `bias` outside -lambd … lambd, and 0 inside.
#include "model/ops/elementwise.h"
#include "model/ops/saturating.h"

namespace plimsoll {
namespace {

struct Shrink {
  static constexpr int kFlops = 3;
  static constexpr bool kIntegers = true;
  explicit Shrink(const Attributes& attributes)
      : lambd(attributes.number("lambd", 0.5)), bias(attributes.number("bias", 0)) {}
  template <class T>
  T operator()(T x) const {
    if (double(x) < -lambd) return convert_number<T>(double(x) + bias);
    if (double(x) > lambd) return convert_number<T>(double(x) - bias);
    return T(0);
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T x) const {
    return double(x) < -lambd || double(x) > lambd ? T(1) : T(0);
  }
  double lambd, bias;
};

}  // namespace

const Op& shrink_op() {
  static const Op op = unary_op<Shrink>("shrink", {"Shrink"});
  return op;
}

}  // namespace plimsoll
