// cum_sum: running sums along an axis (input 1, one integer); `exclusive` leaves out the number itself,
// `reverse` starts at the end.
#include <fmt/format.h>

#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

const Op& cum_sum_op();

namespace {

Result<std::vector<TensorType>> infer_cum_sum(const OpCall& call) {
  if (call.type(1).elements() != Count(1))
    return user_error(fmt::format("axis has the shape {}, expected one integer", call.shape(1).text()));
  if (const Tensor* axis = call.constant(1)) {
    const auto numbers = axis->integers();
    if (numbers.empty())
      return user_error(fmt::format("axis is of type {}, expected an integer", name_of(axis->type.dtype)));
    PLIM_TRY(normalise_axis(numbers[0], call.shape(0).rank()));
  }
  return same_type(call);
}

template <class T>
void run_sums(const T* x, T* y, int64_t size, int64_t stride, bool exclusive, bool reverse) {
  T sum = 0;
  for (int64_t k = 0; k < size; ++k) {
    const int64_t at = (reverse ? size - 1 - k : k) * stride;
    const T next = wrapping_add(sum, x[at]);
    y[at] = exclusive ? sum : next;
    sum = next;
  }
}

bool reference_cum_sum(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  int64_t given = 0;
  if (!for_integer(in[1].dtype(), [&](auto zero) { given = int64_t(*in[1].as<decltype(zero)>()); })) return false;
  const Shape& shape = in[0].shape();
  const auto axis = normalise_axis(given, shape.rank());  // data, when the shape rule did not see it
  if (!axis.ok()) return false;
  const bool exclusive = call.attributes.integer("exclusive", 0) != 0;
  const bool reverse = call.attributes.integer("reverse", 0) != 0;
  const int64_t size = shape[*axis], stride = shape.elements(*axis + 1, shape.rank()).value();
  const int64_t lines = size > 0 ? in[0].size() / size : 0;
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < lines; ++i) {
      const int64_t start = i / stride * size * stride + i % stride;
      run_sums(in[0].as<T>() + start, out[0].as<T>() + start, size, stride, exclusive, reverse);
    }
  });
}

// What a number was added to comes back to it: running sums the other way.
void gradient_cum_sum(Backward& backward) {
  if (!backward.wants(0)) return;
  const int64_t reverse = backward.attributes().integer("reverse", 0) != 0 ? 0 : 1;
  backward.set(0, backward.emit(cum_sum_op(), {backward.gradient(), backward.input(1)},
                                with(backward.attributes(), "reverse", reverse)));
}

std::vector<OpExample> examples_cum_sum() {
  const auto axis = std::make_shared<Tensor>(integer_scalar(-1));
  const OpExample::Input x{{DType::f32, {2, 3, 4}}};
  return {{"last axis", {}, {x, {axis->type, axis}}},
          {"exclusive, from the end", {{"exclusive", int64_t{1}}, {"reverse", int64_t{1}}}, {x, {axis->type, axis}}}};
}

}  // namespace

const Op& cum_sum_op() {
  static const Op op{.name = "cum_sum",
                     .onnx = {"CumSum"},
                     .roles = "xc",
                     .required_inputs = 2,
                     .infer = infer_cum_sum,
                     .cost = elementwise_cost<1>,
                     .reference = reference_cum_sum,
                     .gradient = gradient_cum_sum,
                     .examples = examples_cum_sum};
  return op;
}

}  // namespace plimsoll
