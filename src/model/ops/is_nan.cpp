// is_nan: is x not a number?
#include <cmath>

#include "model/ops/predicate.h"

namespace plimsoll {
namespace {

struct IsNan {
  explicit IsNan(const Attributes&) {}
  template <class T>
  bool operator()(T x) const {
    return std::isnan(x);
  }
};

}  // namespace

const Op& is_nan_op() {
  static const Op op = predicate_op<IsNan>("is_nan", {"IsNaN"});
  return op;
}

}  // namespace plimsoll
