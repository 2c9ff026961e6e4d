// conv_transpose: the transposed convolution; every input number spreads over a window of the output.
// Inputs: x (batch, channels, spatial …), weights (channels, kernels / groups, spatial …), bias.
// A multiply-add for each input number, each kernel of its group and each tap.
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/conv_gradient.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/window.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;

struct Spread {
  Window window;  // over the output: stride, pads and kernel as seen from an input position
  int64_t groups = 1;
  Shape output;
};

// The numbers of `name` that are stated per spatial axis; ONNX also accepts a full shape for output_shape.
Result<std::vector<int64_t>> per_axis(const OpCall& call, std::string_view name, size_t axes, int64_t smallest) {
  auto numbers = call.attributes.integers(name);
  if (numbers.size() == axes + 2) numbers.erase(numbers.begin(), numbers.begin() + 2);
  if (!numbers.empty() && numbers.size() != axes)
    return user_error(fmt::format("{} has {} numbers, expected {}", name, numbers.size(), axes));
  for (const int64_t number : numbers)
    if (number < smallest || number > kLargest)
      return user_error(
          fmt::format("{} is {}, expected numbers from {} to {}", name, fmt::join(numbers, "x"), smallest, kLargest));
  return numbers;
}

// Sets the output's spatial sizes. A stated output size, or auto_pad, determines the padding instead.
Status place(Spread& spread, const OpCall& call) {
  Window& window = spread.window;
  const auto axes = size_t(window.axes());
  const std::string mode = call.attributes.text("auto_pad", "NOTSET");
  PLIM_ASSIGN(std::vector<int64_t> extra, per_axis(call, "output_padding", axes, 0));
  PLIM_ASSIGN(std::vector<int64_t> stated, per_axis(call, "output_shape", axes, 1));
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!same && mode != "NOTSET" && mode != "VALID" && !mode.empty())
    return user_error("auto_pad is not one of NOTSET, VALID, SAME_UPPER, SAME_LOWER");
  for (size_t a = 0; a < axes; ++a) {
    const int64_t size = call.shape(0)[int(a) + 2];
    if (size < 1 || size > kLargest)
      return user_error(fmt::format("the input has the shape {}, expected sizes of at least 1", call.shape(0).text()));
    const int64_t whole = window.stride[a] * (size - 1) + (extra.empty() ? 0 : extra[a]) + window.reach(int(a));
    if (same || !stated.empty()) {
      const int64_t wanted = stated.empty() ? size * window.stride[a] : stated[a];
      const int64_t total = std::max<int64_t>(0, whole - wanted);
      window.pad_begin[a] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      window.pad_end[a] = total - window.pad_begin[a];
      spread.output.push_back(wanted);
      continue;
    }
    const int64_t left = whole - window.pad_begin[a] - window.pad_end[a];
    if (left < 1)
      return user_error(fmt::format("pads of {} and {} leave nothing of an output of {}", window.pad_begin[a],
                                    window.pad_end[a], whole));
    spread.output.push_back(left);
  }
  return {};
}

Result<Spread> spread_of(const OpCall& call) {
  const Shape &x = call.shape(0), &weights = call.shape(1);
  if (x.rank() < 3 || weights.rank() != x.rank())
    return user_error(
        fmt::format("input {} and weights {} are not of one rank of at least 3", x.text(), weights.text()));
  Spread spread;
  spread.groups = call.attributes.integer("group", 1);
  if (spread.groups < 1 || weights[0] != x[1] || x[1] % spread.groups != 0)
    return user_error(
        fmt::format("input {} and weights {} do not agree for group {}: expected weights' first size = "
                    "channels, a multiple of group",
                    x.text(), weights.text(), spread.groups));
  const Count kernels = Count(weights[1]) * spread.groups;
  if (kernels.overflowed()) return user_error("kernels times group overflow a 64-bit count");
  const auto stated = call.attributes.integers("kernel_shape");
  if (!stated.empty() && stated != spatial(weights))
    return user_error(
        fmt::format("kernel_shape is {} but the weights have the shape {}", fmt::join(stated, "x"), weights.text()));
  Attributes attributes = call.attributes;
  attributes.set("auto_pad", std::string("NOTSET"));  // its rule for convolutions is not ours
  PLIM_ASSIGN(spread.window, read_window(attributes, x, spatial(weights)));
  if (call.attributes.text("auto_pad", "") == "VALID") {
    spread.window.pad_begin.assign(spread.window.pad_begin.size(), 0);
    spread.window.pad_end.assign(spread.window.pad_end.size(), 0);
  }
  spread.output = Shape{x[0], kernels.value()};
  PLIM_TRY(place(spread, call));
  return spread;
}

Result<std::vector<TensorType>> infer_conv_transpose(const OpCall& call) {
  PLIM_ASSIGN(Spread spread, spread_of(call));
  if (call.has(2) && call.shape(2) != Shape{spread.output[1]})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(2).text(), spread.output[1]));
  return std::vector{TensorType{call.dtype(0), spread.output}};
}

Cost cost_conv_transpose(const OpCall& call) {
  const Count macs = call.type(0).elements() * call.shape(1).elements(1, call.shape(1).rank());
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

bool reference_conv_transpose(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Spread spread = *spread_of(call);
  const Shape &x_shape = in[0].shape(), &w_shape = in[1].shape();
  const auto input_size = spatial(x_shape), output_size = spatial(spread.output);
  const int64_t channels = x_shape[1], kernels = w_shape[1];
  const int64_t taps = w_shape.elements(2, w_shape.rank()).value();
  const int64_t plane = x_shape.elements(2, x_shape.rank()).value();
  const int64_t positions = spread.output.elements(2, spread.output.rank()).value();
  const auto x = read_doubles(in[0]), w = read_doubles(in[1]), bias = read_doubles(in, 2);
  std::vector<double> y(size_t(out[0].size()));
  for (size_t i = 0; i < y.size() && !bias.empty(); ++i) y[i] = bias[i / size_t(positions) % bias.size()];
  for (int64_t n = 0; n < x_shape[0]; ++n)
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t first_kernel = c / (channels / spread.groups) * kernels;
      double* image = y.data() + (n * spread.output[1] + first_kernel) * positions;
      const double* weights = w.data() + c * kernels * taps;
      std::vector<int64_t> at(input_size.size(), 0);
      for (int64_t p = 0; p < plane; ++p, advance(at, input_size)) {
        const double number = x[size_t((n * channels + c) * plane + p)];
        for_taps(spread.window, output_size, at, [&](int64_t tap, int64_t offset) {
          for (int64_t k = 0; k < kernels; ++k) image[k * positions + offset] += number * weights[k * taps + tap];
        });
      }
    }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_conv_transpose() {
  using example::f32, example::Ints;
  return {{"2-D strided with bias", {{"strides", Ints{2, 2}}}, {f32({2, 3, 4, 5}), f32({3, 2, 3, 3}), f32({2})}},
          {"grouped, padded, output_padding",
           {{"strides", Ints{2, 3}}, {"group", int64_t{2}}, {"pads", Ints{1, 0, 1, 1}}, {"output_padding", Ints{1, 0}}},
           {f32({2, 4, 3, 3}), f32({4, 3, 2, 3})}},
          {"1-D to a stated size", {{"strides", Ints{2}}, {"output_shape", Ints{9}}}, {f32({2, 3, 5}), f32({3, 1, 3})}},
          {"auto_pad",
           {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2, 2}}},
           {f32({2, 1, 3, 3}), f32({1, 2, 3, 3})}},
          {"to a larger size", {{"strides", Ints{2}}, {"output_shape", Ints{14}}}, {f32({2, 3, 5}), f32({3, 2, 3})}}};
}

// Read backwards it is a convolution over dy that gives x's shape: pads at the end are what that takes, and what no
// input spread to is cut off.
void gradient_conv_transpose(Backward& backward) {
  const Spread spread = *spread_of(backward.call());
  const Window& window = spread.window;
  std::vector<int64_t> pads = window.pad_begin, ends, axes;
  bool cut = false;
  for (int a = 0; a < window.axes(); ++a) {
    const auto k = size_t(a);
    const int64_t covered = window.stride[k] * (backward.call().shape(0)[a + 2] - 1) + window.reach(a);
    const int64_t missing = covered - window.pad_begin[k] - spread.output[a + 2];
    pads.push_back(std::max<int64_t>(0, missing));
    ends.push_back(spread.output[a + 2] + std::min<int64_t>(0, missing));
    axes.push_back(a + 2);
    cut = cut || missing < 0;
  }
  ValueId dy = backward.gradient();
  if (backward.wants(2)) backward.set(2, sum_per_channel(backward, dy));
  if (cut)
    dy = backward.emit(op_named("slice"), {dy},
                       {{"starts", std::vector<int64_t>(axes.size(), 0)}, {"ends", ends}, {"axes", axes}});
  const Attributes attributes{
      {"strides", window.stride}, {"dilations", window.dilation}, {"pads", pads}, {"group", spread.groups}};
  if (backward.wants(0)) backward.set(0, backward.emit(op_named("conv"), {dy, backward.input(1)}, attributes));
  if (backward.wants(1))
    backward.set(1, backward.emit(conv_grad_weights(), {dy, backward.input(0)},
                                  with(attributes, "weights_shape", sizes_of(backward.call().shape(1)))));
}

}  // namespace

const Op& conv_transpose_op() {
  static const Op op{.name = "conv_transpose",
                     .kind = OpKind::conv_transpose,
                     .starts = "0t0",
                     .onnx = {"ConvTranspose"},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_conv_transpose,
                     .cost = cost_conv_transpose,
                     .reference = reference_conv_transpose,
                     .gradient = gradient_conv_transpose,
                     .examples = examples_conv_transpose};
  return op;
}

}  // namespace plimsoll
