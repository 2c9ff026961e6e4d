// reduce_prod: the product over the axes.
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceProd {
  Sum<T> product = 1;
  void add(T x) { product = wrapping_multiply(product, Sum<T>(x)); }
  T result(int64_t) const { return T(product); }
};

// dy · the product of all the others, which is y / x only where no number is 0. 3 an element: the product,
// the division and dy.
bool reference_prod_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]);
  auto x = read_doubles(in[1]);
  const Shape kept = kept_shape(call);
  std::vector<double> product(dy.size(), 1), zeros(dy.size());
  broadcast_walk<1>(in[1].shape(), {&kept}, [&](int64_t i, const auto& at) {
    if (x[size_t(i)] == 0) ++zeros[size_t(at[0])];
    else product[size_t(at[0])] *= x[size_t(i)];
  });
  broadcast_walk<1>(in[1].shape(), {&kept}, [&](int64_t i, const auto& at) {
    const auto to = size_t(at[0]);
    double& number = x[size_t(i)];
    const double other_zeros = zeros[to] - (number == 0 ? 1 : 0);
    number = other_zeros > 0 ? 0 : dy[to] * product[to] / (number == 0 ? 1 : number);
  });
  write_doubles(out, 0, x);
  return true;
}

void gradient_reduce_prod(Backward& backward) {
  static const Op grad = reduce_grad_op("reduce_prod_grad", reference_prod_grad, elementwise_cost<3>);
  emit_reduce_grad(backward, grad, false);
}

}  // namespace

const Op& reduce_prod_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceProd, Numbers::number, 1>("reduce_prod", {"ReduceProd"}), gradient_reduce_prod);
  return op;
}

}  // namespace plimsoll
