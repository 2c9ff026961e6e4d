// sum: of any number of tensors, with broadcasting.
#include "model/ops/variadic.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Sum {
  static constexpr int kFinish = 0;
  template <class T>
  static T step(T y, T x) {
    return wrapping_add(y, x);
  }
  template <class T>
  static T finish(T y, int64_t) {
    return y;
  }
};

}  // namespace

const Op& sum_op() {
  static const Op op = variadic_op<Sum>("sum", {"Sum"});
  return op;
}

}  // namespace plimsoll
