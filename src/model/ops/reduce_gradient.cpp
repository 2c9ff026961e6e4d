#include "model/ops/reduce_gradient.h"

#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  const Shape kept = kept_shape(call), &x = call.shape(1);
  const auto joined = broadcast(x, kept);
  if (!joined.ok() || *joined != x || kept.elements() != call.type(0).elements())
    return user_error(
        fmt::format("the gradient {} is not of {} reduced to {}", call.shape(0).text(), x.text(), kept.text()));
  return std::vector{call.type(1)};
}

// The reduction of a call whose shape rule has passed.
Reduction reduction_of_forward(const Backward& backward) { return *read_reduction(backward.call()); }

bool reference_extreme_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]), y = read_doubles(in[2]);
  const Shape kept = kept_shape(call);
  std::vector<double> dx(x.size()), equal(y.size());
  const auto walk = [&](auto&& f) {
    broadcast_walk<1>(in[1].shape(), {&kept}, [&](int64_t i, const auto& at) {
      if (x[size_t(i)] == y[size_t(at[0])]) f(size_t(i), size_t(at[0]));
    });
  };
  walk([&](size_t, size_t to) { ++equal[to]; });
  walk([&](size_t i, size_t to) { dx[i] = dy[to] / equal[to]; });
  write_doubles(out, 0, dx);
  return true;
}

}  // namespace

Shape kept_shape(const OpCall& call) { return Shape(call.attributes.integers("kept_shape")); }

ValueId with_kept_axes(Backward& backward, ValueId value) {
  const Shape kept = reduction_of_forward(backward).kept;
  if (!value.present() || backward.type_of(value).shape == kept) return value;
  const int64_t as_stated = kept.elements() == Count(0) ? 1 : 0;  // a size of 0 is a size, not "as before"
  return backward.emit(op_named("reshape"), {value}, {{"shape", sizes_of(kept)}, {"allowzero", as_stated}});
}

ValueId spread_back(Backward& backward, ValueId value) {
  const ValueId kept = with_kept_axes(backward, value);
  if (!kept.present() || backward.type_of(kept).shape == backward.call().shape(0)) return kept;
  const ValueId shape = backward.constant(integer_tensor(sizes_of(backward.call().shape(0))));
  return backward.emit(op_named("expand"), {kept, shape});
}

double numbers_per_output(const OpCall& call) {
  const int64_t outputs = call.outputs[0].elements().value();
  return outputs == 0 ? 1 : std::max(1.0, double(call.type(0).elements().value()) / double(outputs));
}

Op reduce_grad_op(std::string_view name, Reference reference, CostRule cost) {
  return {.name = name,
          .kind = OpKind::reduction,
          .onnx = {},
          .required_inputs = 2,
          .infer = infer_grad,
          .cost = cost,
          .reference = reference,
          .elementwise = true};
}

void emit_reduce_grad(Backward& backward, const Op& grad, bool reads_output) {
  if (!backward.wants(0)) return;
  std::vector<ValueId> inputs{backward.gradient(), backward.input(0)};
  if (reads_output) inputs.push_back(backward.output(0));
  const auto kept = sizes_of(reduction_of_forward(backward).kept);
  backward.set(0, backward.emit(grad, std::move(inputs), {{"kept_shape", kept}}));
}

void reduce_extreme_gradient(Backward& backward) {
  static const Op grad = reduce_grad_op("reduce_extreme_grad", reference_extreme_grad, elementwise_cost<2>);
  emit_reduce_grad(backward, grad, true);
}

}  // namespace plimsoll
