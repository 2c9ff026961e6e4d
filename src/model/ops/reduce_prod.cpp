// reduce_prod: the product over the axes.
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceProd {
  Sum<T> product = 1;
  void add(T x) { product = wrapping_multiply(product, Sum<T>(x)); }
  T result(int64_t) const { return T(product); }
};

}  // namespace

const Op& reduce_prod_op() {
  static const Op op = reduce_op<ReduceProd, Numbers::number, 1>("reduce_prod", {"ReduceProd"});
  return op;
}

}  // namespace plimsoll
