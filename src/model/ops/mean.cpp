// mean: of any number of tensors, with broadcasting.
#include "model/ops/variadic.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Mean {
  static constexpr int kFinish = 1;
  template <class T>
  static T step(T y, T x) {
    return wrapping_add(y, x);
  }
  template <class T>
  static T finish(T y, int64_t inputs) {
    if constexpr (std::is_integral_v<T>) return wrapping_divide(y, T(inputs));
    else return y / T(inputs);
  }
};

}  // namespace

const Op& mean_op() {
  static const Op op = variadic_op<Mean>("mean", {"Mean"});
  return op;
}

}  // namespace plimsoll
