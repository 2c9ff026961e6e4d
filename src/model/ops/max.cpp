// max: the largest of any number of tensors, with broadcasting; not-a-number wins.
#include "model/ops/extremes.h"
#include "model/ops/variadic.h"

namespace plimsoll {
namespace {

struct Max {
  static constexpr int kFinish = 0;
  template <class T>
  static T step(T y, T x) {
    return larger(y, x);
  }
  template <class T>
  static T finish(T y, int64_t) {
    return y;
  }
};

}  // namespace

const Op& max_op() {
  static const Op op = extreme_op<Max>("max", {"Max"});
  return op;
}

}  // namespace plimsoll
