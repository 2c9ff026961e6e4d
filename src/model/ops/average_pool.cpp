// average_pool: the mean of each window. count_include_pad divides by the window's size without
// what hangs over the padding's end (ceil_mode), else only by the numbers inside the input.
// Cost: one addition for each number in the window, the division standing in for the first.
#include "model/ops/average_pool.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/pool.h"
#include "model/ops/pool_gradient.h"

namespace plimsoll {
namespace {

// The taps at this position that lie in the input or its padding.
int64_t padded_taps(const Window& window, const std::vector<int64_t>& input_size, const std::vector<int64_t>& at) {
  int64_t taps = 1;
  for (size_t a = 0; a < at.size(); ++a) {
    const int64_t end = input_size[a] + window.pad_end[a];
    const int64_t room = end - 1 - (at[a] * window.stride[a] - window.pad_begin[a]);
    taps *= room < 0 ? 0 : std::min(window.kernel[a], room / window.dilation[a] + 1);
  }
  return taps;
}

}  // namespace

int64_t averaged_taps(const Attributes& attributes, const Window& window, const std::vector<int64_t>& input_size,
                      const std::vector<int64_t>& at) {
  if (attributes.integer("count_include_pad", 0) != 0) return padded_taps(window, input_size, at);
  int64_t count = 0;
  for_taps(window, input_size, at, [&](int64_t, int64_t) { ++count; });
  return count;
}

namespace {

bool reference_average_pool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *pool_window(call);
  const auto input_size = spatial(in[0].shape());
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    double sum = 0;
    for_taps(window, input_size, at, [&](int64_t, int64_t offset) { sum += x[size_t(plane + offset)]; });
    const int64_t count = averaged_taps(call.attributes, window, input_size, at);
    y[size_t(i)] = count > 0 ? sum / double(count) : 0;
  });
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_average_pool() {
  using Ints = std::vector<int64_t>;
  const TensorType image{DType::f32, {2, 3, 7, 6}};
  return {{"padded",
           {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}, {"count_include_pad", int64_t{1}}},
           {{image}}},
          {"ceil", {{"kernel_shape", Ints{2, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", int64_t{1}}}, {{image}}},
          {"3-D", {{"kernel_shape", Ints{2, 2, 2}}}, {{{DType::f32, {2, 1, 3, 4, 5}}}}}};
}

void gradient_average_pool(Backward& backward) {
  backward.set(0, backward.emit(average_pool_grad(), {backward.gradient()},
                                with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
}

}  // namespace

const Op& average_pool_op() {
  static const Op op{.name = "average_pool",
                     .kind = OpKind::pool,
                     .before_activation = true,
                     .onnx = {"AveragePool"},
                     .infer = infer_pool,
                     .cost = cost_pool,
                     .reference = reference_average_pool,
                     .gradient = gradient_average_pool,
                     .examples = examples_average_pool};
  return op;
}

}  // namespace plimsoll
