// is_inf: is x infinite? Either sign can be left out.
#include <cmath>

#include "model/ops/predicate.h"

namespace plimsoll {
namespace {

struct IsInf {
  explicit IsInf(const Attributes& attributes)
      : positive(attributes.integer("detect_positive", 1) != 0),
        negative(attributes.integer("detect_negative", 1) != 0) {}
  template <class T>
  bool operator()(T x) const {
    return std::isinf(x) && (x > T(0) ? positive : negative);
  }
  bool positive, negative;
};

}  // namespace

const Op& is_inf_op() {
  static const Op op = predicate_op<IsInf>("is_inf", {"IsInf"});
  return op;
}

}  // namespace plimsoll
