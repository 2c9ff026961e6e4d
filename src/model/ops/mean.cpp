// mean: of any number of tensors, with broadcasting.
#include "model/ops/gradient.h"
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

void gradient_mean(Backward& backward) {
  const ValueId share = scaled(backward, backward.gradient(), 1 / double(present_inputs(backward.call())));
  for (size_t i = 0; i < backward.call().input_count(); ++i)
    if (backward.wants(i)) backward.set(i, like_input(backward, i, share));
}

}  // namespace

const Op& mean_op() {
  static const Op op = with_gradient(variadic_op<Mean>("mean", {"Mean"}), gradient_mean);
  return op;
}

}  // namespace plimsoll
