// deform_conv: a convolution whose taps are moved by offsets, and weighted by a mask, that come with
// the data. Inputs: x, weights, offset (batch, offset groups × taps × axes, output …), bias, mask
// (batch, offset groups × taps, output …). Cost as a convolution's; reading between the numbers is
// not counted beside the products.
#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/sample_at.h"

namespace plimsoll {
namespace {

Status check_positions(const OpCall& call, size_t i, std::string_view name, Count channels, const Shape& output) {
  if (!call.has(i)) return {};
  Shape expected = output;
  expected[1] = channels.value();
  if (call.shape(i) == expected && !channels.overflowed()) return {};
  return user_error(fmt::format("{} has the shape {}, expected {}", name, call.shape(i).text(), expected.text()));
}

Result<std::vector<TensorType>> infer_deform_conv(const OpCall& call) {
  const Shape &x = call.shape(0), &w = call.shape(1);
  PLIM_ASSIGN(Convolution conv, convolution(call.attributes, x, w));
  const int64_t groups = call.attributes.integer("offset_group", 1);
  if (groups < 1 || x[1] % groups != 0)
    return user_error(fmt::format("offset_group is {}, expected a divisor of the channels of {}", groups, x.text()));
  if (x.rank() > 5)
    return user_error(fmt::format("the input has the shape {}, expected 1 to 3 spatial sizes", x.text()));
  for (const int64_t size : spatial(x))
    if (size < 1) return user_error(fmt::format("the input has the shape {}, expected sizes of at least 1", x.text()));
  const Count taps = w.elements(2, w.rank()) * groups;
  PLIM_TRY(check_positions(call, 2, "offset", taps * (w.rank() - 2), conv.output));
  if (call.has(3) && call.shape(3) != Shape{w[0]})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(3).text(), w[0]));
  PLIM_TRY(check_positions(call, 4, "mask", taps, conv.output));
  return std::vector{TensorType{call.dtype(0), conv.output}};
}

Cost cost_deform_conv(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(1)); }

// What is read at one output position by one tap: offsets and mask of sample n, at position p.
struct Taps {
  const Window& window;
  const std::vector<double>&offset, &mask;
  int64_t groups, taps, positions;

  std::vector<double> place(int64_t n, int64_t group, int64_t tap, const std::vector<int64_t>& at, int64_t p) const {
    std::vector<double> place(at.size());
    int64_t rest = tap;
    for (size_t a = at.size(); a-- > 0; rest /= window.kernel[a]) {
      const int64_t channel = ((n * groups + group) * taps + tap) * int64_t(at.size()) + int64_t(a);
      place[a] = double(at[a] * window.stride[a] - window.pad_begin[a] + rest % window.kernel[a] * window.dilation[a]) +
                 offset[size_t(channel * positions + p)];
    }
    return place;
  }
  double weight(int64_t n, int64_t group, int64_t tap, int64_t p) const {
    return mask.empty() ? 1 : mask[size_t(((n * groups + group) * taps + tap) * positions + p)];
  }
};

bool reference_deform_conv(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), call.shape(1));
  const Shape &shape = in[0].shape(), &w_shape = in[1].shape();
  const auto size = spatial(shape), output_size = spatial(conv.output);
  const auto x = read_doubles(in[0]), w = read_doubles(in[1]), bias = read_doubles(in, 3);
  const auto offset = read_doubles(in[2]), mask = read_doubles(in, 4);
  const int64_t plane = shape.elements(2, shape.rank()).value();
  const int64_t kernels = w_shape[0], channels = w_shape[1];
  const Taps taps{conv.window,
                  offset,
                  mask,
                  call.attributes.integer("offset_group", 1),
                  w_shape.elements(2, w_shape.rank()).value(),
                  conv.output.elements(2, conv.output.rank()).value()};
  std::vector<double> y(size_t(out[0].size()));
  std::vector<int64_t> at(size.size(), 0);
  for (int64_t i = 0; i < int64_t(y.size()); ++i, advance(at, output_size)) {
    const int64_t p = i % taps.positions, k = i / taps.positions % kernels, n = i / (taps.positions * kernels);
    double sum = bias.empty() ? 0 : bias[size_t(k)];
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t channel = k / (kernels / conv.groups) * channels + c;
      const int64_t group = channel / (shape[1] / taps.groups);
      for (int64_t tap = 0; tap < taps.taps; ++tap)
        sum += w[size_t((k * channels + c) * taps.taps + tap)] * taps.weight(n, group, tap, p) *
               sample_at(x.data() + (n * shape[1] + channel) * plane, size, taps.place(n, group, tap, at, p),
                         Interpolation::linear, Outside::zeros);
    }
    y[size_t(i)] = sum;
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_deform_conv() {
  using example::f32, example::Ints;
  return {{"2-D", {{"pads", Ints{1, 1, 1, 1}}}, {f32({2, 2, 4, 4}), f32({3, 2, 3, 3}), f32({2, 18, 4, 4})}},
          {"grouped, masked",
           {{"group", int64_t{2}}, {"offset_group", int64_t{2}}},
           {f32({2, 4, 4, 5}), f32({4, 2, 2, 2}), f32({2, 16, 3, 4}), f32({4}), f32({2, 8, 3, 4})}}};
}

}  // namespace

const Op& deform_conv_op() {
  static const Op op{.name = "deform_conv",
                     .onnx = {"DeformConv"},
                     .roles = "xwxwx",
                     .required_inputs = 3,
                     .infer = infer_deform_conv,
                     .cost = cost_deform_conv,
                     .reference = reference_deform_conv,
                     .examples = examples_deform_conv};
  return op;
}

}  // namespace plimsoll
