#include "model/ops/conv_gradient.h"

#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"

namespace plimsoll {
namespace {

// Visits every product of the convolution: f(offset in x, offset in weights, offset in y).
template <class F>
void for_products(const Convolution& conv, const Shape& x, const Shape& weights, F&& f) {
  const auto input_size = spatial(x), output_size = spatial(conv.output);
  const int64_t kernels = weights[0], channels = weights[1];
  const int64_t taps = weights.elements(2, weights.rank()).value(), plane = x.elements(2, x.rank()).value();
  const int64_t positions = conv.output.elements(2, conv.output.rank()).value();
  for (int64_t n = 0; n < x[0]; ++n)
    for (int64_t k = 0; k < kernels; ++k) {
      const int64_t first_channel = k / (kernels / conv.groups) * channels;
      std::vector<int64_t> at(input_size.size(), 0);
      for (int64_t p = 0; p < positions; ++p, advance(at, output_size))
        for_taps(conv.window, input_size, at, [&](int64_t tap, int64_t offset) {
          for (int64_t c = 0; c < channels; ++c)
            f(size_t((n * x[1] + first_channel + c) * plane + offset), size_t((k * channels + c) * taps + tap),
              size_t((n * kernels + k) * positions + p));
        });
    }
}

// Checks that dy has the shape of the convolution's output.
Result<std::vector<TensorType>> checked(const OpCall& call, const Shape& x, const Shape& weights, const Shape& dy,
                                        TensorType result) {
  PLIM_ASSIGN(const Convolution conv, convolution(call.attributes, x, weights));
  if (dy != conv.output)
    return user_error(fmt::format("the gradient has the shape {}, expected {}", dy.text(), conv.output.text()));
  return std::vector{std::move(result)};
}

Shape input_shape(const OpCall& call) { return Shape(call.attributes.integers("input_shape")); }
Shape weights_shape(const OpCall& call) { return Shape(call.attributes.integers("weights_shape")); }

Result<std::vector<TensorType>> infer_data(const OpCall& call) {
  return checked(call, input_shape(call), call.shape(1), call.shape(0), {call.dtype(0), input_shape(call)});
}

Cost cost_data(const OpCall& call) { return convolution_cost(call.shape(0), call.shape(1)); }

bool reference_data(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, input_shape(call), call.shape(1));
  const auto dy = read_doubles(in[0]), weights = read_doubles(in[1]);
  std::vector<double> dx(size_t(out[0].size()));
  for_products(conv, out[0].shape(), in[1].shape(), [&](size_t x, size_t w, size_t y) { dx[x] += weights[w] * dy[y]; });
  write_doubles(out, 0, dx);
  return true;
}

Result<std::vector<TensorType>> infer_weights(const OpCall& call) {
  return checked(call, call.shape(0), weights_shape(call), call.shape(1), {call.dtype(0), weights_shape(call)});
}

Cost cost_weights(const OpCall& call) { return convolution_cost(call.shape(1), weights_shape(call)); }

bool reference_weights(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), weights_shape(call));
  const auto x = read_doubles(in[0]), dy = read_doubles(in[1]);
  std::vector<double> dw(size_t(out[0].size()));
  for_products(conv, in[0].shape(), out[0].shape(), [&](size_t i, size_t w, size_t y) { dw[w] += x[i] * dy[y]; });
  write_doubles(out, 0, dw);
  return true;
}

}  // namespace

const Op& conv_grad_data() {
  static const Op op{.name = "conv_grad_data",
                     .kind = OpKind::conv_grad_data,
                     .onnx = {},
                     .roles = "xw",
                     .required_inputs = 2,
                     .infer = infer_data,
                     .cost = cost_data,
                     .reference = reference_data};
  return op;
}

const Op& conv_grad_weights() {
  static const Op op{.name = "conv_grad_weights",
                     .kind = OpKind::conv_grad_weights,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_weights,
                     .cost = cost_weights,
                     .reference = reference_weights};
  return op;
}

}  // namespace plimsoll
