// deform_conv: a convolution whose taps are moved by offsets, and weighted by a mask, that come with
// the data. Inputs: x, weights, offset (batch, offset groups × taps × axes, output …), bias, mask
// (batch, offset groups × taps, output …). Cost as a convolution's; reading between the numbers is
// not counted beside the products.
#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
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

// One product of the convolution: where its numbers are.
struct Product {
  size_t output, weight, plane, mask;
  size_t offset, offset_step;  // of the first axis, and from axis to axis
  std::vector<double> place;   // in the plane
};

// Visits every product: f(product).
template <class F>
void for_products(const Attributes& attributes, const Shape& x, const Shape& weights, const std::vector<double>& offset,
                  F&& f) {
  const Convolution conv = *convolution(attributes, x, weights);
  const Window& window = conv.window;
  const auto output_size = spatial(conv.output);
  const int64_t kernels = weights[0], channels = weights[1], axes = window.axes();
  const int64_t taps = weights.elements(2, weights.rank()).value(), plane = x.elements(2, x.rank()).value();
  const int64_t positions = conv.output.elements(2, conv.output.rank()).value(), total = x[0] * kernels * positions;
  const int64_t groups = attributes.integer("offset_group", 1);
  std::vector<int64_t> at(output_size.size(), 0);
  Product product{0, 0, 0, 0, 0, size_t(positions), std::vector<double>(size_t(axes))};
  for (int64_t i = 0; i < total; ++i, advance(at, output_size)) {
    const int64_t p = i % positions, k = i / positions % kernels, n = i / (positions * kernels);
    product.output = size_t(i);
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t channel = k / (kernels / conv.groups) * channels + c;
      product.plane = size_t((n * x[1] + channel) * plane);
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t moved = (n * groups + channel / (x[1] / groups)) * taps + tap;
        product.weight = size_t((k * channels + c) * taps + tap);
        product.mask = size_t(moved * positions + p);
        product.offset = size_t(moved * axes * positions + p);
        int64_t rest = tap;
        for (auto a = size_t(axes); a-- > 0; rest /= window.kernel[a])
          product.place[a] =
              double(at[a] * window.stride[a] - window.pad_begin[a] + rest % window.kernel[a] * window.dilation[a]) +
              offset[product.offset + a * product.offset_step];
        f(product);
      }
    }
  }
}

bool reference_deform_conv(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto size = spatial(in[0].shape());
  const auto x = read_doubles(in[0]), w = read_doubles(in[1]), bias = read_doubles(in, 3), mask = read_doubles(in, 4);
  std::vector<double> y(size_t(out[0].size()));
  const auto positions = size_t(out[0].shape().elements(2, out[0].shape().rank()).value());
  for (size_t i = 0; i < y.size() && !bias.empty(); ++i) y[i] = bias[i / positions % bias.size()];
  for_products(call.attributes, in[0].shape(), in[1].shape(), read_doubles(in[2]), [&](const Product& product) {
    y[product.output] += w[product.weight] * (mask.empty() ? 1 : mask[product.mask]) *
                         sample_at(x.data() + product.plane, size, product.place, SampleMode::linear, Outside::zeros);
  });
  write_doubles(out, 0, y);
  return true;
}

// deform_conv_grad: x, weights, offset, mask, dy → their gradients but for dy's, in this order. Counted as two
// convolutions, by the data and by the weights.
Result<std::vector<TensorType>> infer_deform_conv_grad(const OpCall& call) {
  std::vector<TensorType> types{call.type(0), call.type(1), call.type(2)};
  if (call.has(3)) types.push_back(call.type(3));
  return types;
}

Cost cost_deform_conv_grad(const OpCall& call) {
  const Cost once = convolution_cost(call.shape(4), call.shape(1));
  return {once.macs * 2, once.flops * 2};
}

bool reference_deform_conv_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto size = spatial(in[0].shape());
  const auto x = read_doubles(in[0]), w = read_doubles(in[1]), offset = read_doubles(in[2]), mask = read_doubles(in, 3);
  const auto dy = read_doubles(in[4]);
  std::vector<double> dx(x.size()), dw(w.size()), doffset(offset.size()), dmask(mask.size());
  for_products(call.attributes, in[0].shape(), in[1].shape(), offset, [&](const Product& product) {
    const double share = mask.empty() ? 1 : mask[product.mask], slope = dy[product.output];
    const double by_sample = slope * w[product.weight] * share;
    double sample = 0;
    for (const auto& near : neighbours_at(size, product.place, SampleMode::linear, Outside::zeros)) {
      const size_t from = product.plane + size_t(near.offset);
      sample += near.weight * x[from];
      dx[from] += by_sample * near.weight;
      for (size_t a = 0; a < near.slope.size(); ++a)
        doffset[product.offset + a * product.offset_step] += by_sample * near.slope[a] * x[from];
    }
    dw[product.weight] += slope * share * sample;
    if (!mask.empty()) dmask[product.mask] += slope * w[product.weight] * sample;
  });
  const std::vector<double>* const results[] = {&dx, &dw, &doffset, &dmask};
  for (size_t k = 0; k < out.size(); ++k) write_doubles(out, k, *results[k]);
  return true;
}

void gradient_deform_conv(Backward& backward) {
  static const Op grad{.name = "deform_conv_grad",
                       .kind = OpKind::convolution,
                       .onnx = {},
                       .roles = "xwxx",
                       .required_inputs = 3,
                       .infer = infer_deform_conv_grad,
                       .cost = cost_deform_conv_grad,
                       .reference = reference_deform_conv_grad};
  constexpr size_t kInputs[] = {0, 1, 2, 4};  // of the outputs in their order
  if (backward.wants(3)) backward.set(3, sum_per_channel(backward, backward.gradient()));
  size_t outputs = 0;
  for (size_t k = 0; k < std::size(kInputs); ++k)
    if (backward.wants(kInputs[k])) outputs = k + 1;
  if (outputs == 0) return;
  const auto gradients = backward.emit(
      grad, {backward.input(0), backward.input(1), backward.input(2), backward.input(4), backward.gradient()},
      backward.attributes(), outputs);
  for (size_t k = 0; k < outputs; ++k)
    if (backward.wants(kInputs[k])) backward.set(kInputs[k], gradients[k]);
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
                     .kind = OpKind::convolution,
                     .starts = "0k0",
                     .onnx = {"DeformConv"},
                     .roles = "xwxwx",
                     .required_inputs = 3,
                     .infer = infer_deform_conv,
                     .cost = cost_deform_conv,
                     .reference = reference_deform_conv,
                     .gradient = gradient_deform_conv,
                     .examples = examples_deform_conv};
  return op;
}

}  // namespace plimsoll
