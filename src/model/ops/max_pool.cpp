// max_pool: the largest number in each window; on request also where it was (Indices, over the
// whole input). A window that lies in the padding gives the type's lowest number.
// Cost: one comparison for each number in the window.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/pool.h"
#include "model/ops/pool_gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_max_pool(const OpCall& call) {
  PLIM_ASSIGN(std::vector<TensorType> outputs, infer_pool(call));
  if (call.output_count() > 1) outputs.push_back({DType::i64, outputs[0].shape});
  return outputs;
}

// A column-major offset in a plane as a row-major one.
int64_t row_major(int64_t offset, const std::vector<int64_t>& size) {
  int64_t result = 0, stride = 1;
  for (const int64_t length : size) stride *= length;
  for (size_t axis = 0; axis < size.size(); offset /= size[axis++]) {
    stride /= size[axis];
    result += offset % size[axis] * stride;
  }
  return result;
}

// A row-major offset in a plane as a column-major one.
int64_t column_major(int64_t offset, const std::vector<int64_t>& size) {
  int64_t result = 0;
  for (size_t axis = size.size(); axis-- > 0; offset /= size[axis]) result = result * size[axis] + offset % size[axis];
  return result;
}

bool reference_max_pool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *pool_window(call);
  const auto input_size = spatial(in[0].shape());
  const bool columns = call.attributes.integer("storage_order", 0) != 0;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  std::vector<double> where(y.size());
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    double best = lowest_of(out[0].dtype());
    int64_t best_at = 0;
    bool any = false;
    for_taps(window, input_size, at, [&](int64_t, int64_t offset) {
      const double number = x[size_t(plane + offset)];
      if (any && !(number > best)) return;
      any = true;
      best = number;
      best_at = offset;
    });
    y[size_t(i)] = best;
    where[size_t(i)] = any ? double(plane + (columns ? column_major(best_at, input_size) : best_at)) : -1;
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, where);
  return true;
}

// dy and Indices → dx. In training it stands in only where something else reads the Indices: max_pool_train
// otherwise.
bool reference_max_pool_grad_at(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const bool columns = call.attributes.integer("storage_order", 0) != 0;
  const auto size = spatial(out[0].shape());
  const int64_t plane = out[0].shape().elements(2, out[0].shape().rank()).value();
  const auto dy = read_doubles(in[0]), where = read_doubles(in[1]);
  std::vector<double> dx(size_t(out[0].size()));
  for (size_t i = 0; i < dy.size(); ++i) {
    const auto at = clamped<int64_t>(where[i]);
    if (at < 0 || at >= int64_t(dx.size())) continue;
    dx[size_t(columns ? at - at % plane + row_major(at % plane, size) : at)] += dy[i];
  }
  write_doubles(out, 0, dx);
  return true;
}

void gradient_max_pool(Backward& backward) {
  static const Op grad_at{.name = "max_pool_grad_at",
                          .kind = OpKind::pool,
                          .onnx = {},
                          .required_inputs = 2,
                          .infer = infer_moved_back,
                          .cost = cost_moved_back,
                          .reference = reference_max_pool_grad_at};
  const ValueId dy = backward.gradient();
  const Attributes attributes = with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)));
  if (backward.output(1).present())
    return backward.set(0, backward.emit(grad_at, {dy, backward.output(1)}, attributes));
  const ValueId places = backward.emit(max_pool_train(), {backward.input(0)}, backward.attributes(), 2)[1];
  backward.set(0, backward.emit(max_pool_grad(), {dy, places}, attributes));
}

std::vector<OpExample> examples_max_pool() {
  using Ints = std::vector<int64_t>;
  const TensorType image{DType::f32, {2, 3, 7, 6}};
  return {{"padded, with indices",
           {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}},
           {{image}},
           2},
          {"indices by columns", {{"kernel_shape", Ints{2, 2}}, {"storage_order", int64_t{1}}}, {{image}}, 2},
          {"ceil", {{"kernel_shape", Ints{2, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", int64_t{1}}}, {{image}}},
          {"1-D dilated", {{"kernel_shape", Ints{2}}, {"dilations", Ints{3}}}, {{{DType::f32, {2, 3, 9}}}}}};
}

}  // namespace

const Op& max_pool_op() {
  static const Op op{.name = "max_pool",
                     .kind = OpKind::pool,
                     .before_activation = true,
                     .onnx = {"MaxPool"},
                     .infer = infer_max_pool,
                     .cost = cost_pool,
                     .reference = reference_max_pool,
                     .gradient = gradient_max_pool,
                     .examples = examples_max_pool,
                     .training = max_pool_train};
  return op;
}

}  // namespace plimsoll
