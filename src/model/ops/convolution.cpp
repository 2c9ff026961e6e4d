#include "model/ops/convolution.h"

#include <fmt/format.h>

namespace plimsoll {

Result<Convolution> convolution(const Attributes& attributes, const Shape& x, const Shape& weights) {
  if (x.rank() < 3 || weights.rank() != x.rank())
    return user_error(
        fmt::format("input {} and weights {} are not of one rank of at least 3", x.text(), weights.text()));
  const int64_t groups = attributes.integer("group", 1);
  if (groups < 1 || weights[0] % groups != 0 || Count(weights[1]) * groups != Count(x[1]))
    return user_error(
        fmt::format("input {} and weights {} do not agree for group {}: expected channels = weights' second size × "
                    "group, kernels a multiple of group",
                    x.text(), weights.text(), groups));
  auto kernel = spatial(weights);
  const auto stated = attributes.integers("kernel_shape");
  if (!stated.empty() && stated != kernel)
    return user_error(
        fmt::format("kernel_shape is {} but the weights have the shape {}", fmt::join(stated, "x"), weights.text()));
  PLIM_ASSIGN(Window window, read_window(attributes, x, std::move(kernel)));
  PLIM_ASSIGN(std::vector<int64_t> sizes, window_output(window, x, false));
  Shape output{x[0], weights[0]};
  for (const int64_t size : sizes) output.push_back(size);
  return Convolution{std::move(window), groups, std::move(output)};
}

Cost convolution_cost(const Shape& output, const Shape& weights) {
  const Count macs = output.elements() * weights.elements(1, weights.rank());
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

std::vector<double> convolve(const Convolution& convolution, const Shape& x_shape, const std::vector<double>& x,
                             const Shape& weights_shape, const std::vector<double>& weights,
                             const std::vector<double>& bias) {
  const Shape& output = convolution.output;
  const auto input_size = spatial(x_shape), output_size = spatial(output);
  const int64_t kernels = weights_shape[0], channels = weights_shape[1];
  const int64_t taps = weights_shape.elements(2, weights_shape.rank()).value();
  const int64_t plane = x_shape.elements(2, x_shape.rank()).value();
  const int64_t positions = output.elements(2, output.rank()).value();
  std::vector<double> y;
  y.reserve(size_t(output.elements().value()));
  for (int64_t n = 0; n < x_shape[0]; ++n)
    for (int64_t k = 0; k < kernels; ++k) {
      const int64_t first_channel = k / (kernels / convolution.groups) * channels;
      const double* image = x.data() + (n * x_shape[1] + first_channel) * plane;
      const double* kernel = weights.data() + k * channels * taps;
      std::vector<int64_t> at(input_size.size(), 0);
      for (int64_t p = 0; p < positions; ++p, advance(at, output_size)) {
        double sum = bias.empty() ? 0.0 : bias[size_t(k)];
        for_taps(convolution.window, input_size, at, [&](int64_t tap, int64_t offset) {
          for (int64_t c = 0; c < channels; ++c) sum += kernel[c * taps + tap] * image[c * plane + offset];
        });
        y.push_back(sum);
      }
    }
  return y;
}

}  // namespace plimsoll
