// mel_weight_matrix: triangles that turn a spectrum into bands of equal width to the ear. Made before
// a run, so no arithmetic is counted.
#include <fmt/format.h>

#include <cmath>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/example.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

constexpr double kLargest = 4503599627370496.0;  // 2^52

struct Bands {
  double count, length, rate, lower, upper;
};

Result<Bands> read_bands(const OpCall& call) {
  std::vector<double> numbers;
  for (size_t i = 0; i < 5; ++i) {
    if (call.type(i).elements() != Count(1))
      return user_error(fmt::format("input {} has the shape {}, expected one number", i, call.shape(i).text()));
    if (!call.constant(i)) return undetermined(fmt::format("input {} is not known before the run", i));
    const auto number = call.constant(i)->doubles();
    if (number.empty()) return undetermined("numbers of this type are not read");
    numbers.push_back(number[0]);
  }
  const Bands bands{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  if (!(bands.count >= 1 && bands.count <= kLargest && bands.length >= 1 && bands.length <= kLargest && bands.rate > 0))
    return user_error(
        fmt::format("{} bands of a transform of {} at {} samples per second: expected positive numbers "
                    "without overflow",
                    bands.count, bands.length, bands.rate));
  return bands;
}

Result<std::vector<TensorType>> infer_mel_weight_matrix(const OpCall& call) {
  PLIM_ASSIGN(const Bands bands, read_bands(call));
  PLIM_ASSIGN(const DType type, dtype_of_onnx(call.attributes.integer("output_datatype", 1)));
  return std::vector{TensorType{type, Shape{int64_t(bands.length) / 2 + 1, int64_t(bands.count)}}};
}

// The bin of the spectrum where edge i of the triangles lies.
int64_t edge(const Bands& bands, int64_t i, int64_t bins) {
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double step = (mel(bands.upper) - mel(bands.lower)) / (bands.count + 2);
  const double hertz = 700 * (std::pow(10, (double(i) * step + mel(bands.lower)) / 2595) - 1);
  const double bin = std::floor((bands.length + 1) * hertz / bands.rate);
  return std::isnan(bin) ? 0 : int64_t(std::clamp(bin, 0.0, double(bins)));
}

bool reference_mel_weight_matrix(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const Bands bands = *read_bands(call);
  const int64_t bins = out[0].shape()[0], count = out[0].shape()[1];
  return for_float(out[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* y = out[0].as<T>();
    std::fill(y, y + out[0].size(), T(0));
    const auto set = [&](int64_t bin, int64_t band, double weight) {
      if (bin < bins) y[bin * count + band] = T(weight);
    };
    for (int64_t i = 0; i < count; ++i) {
      const int64_t low = edge(bands, i, bins), centre = edge(bands, i + 1, bins), high = edge(bands, i + 2, bins);
      if (low == centre) set(centre, i, 1);
      for (int64_t j = low; j <= centre && low < centre; ++j) set(j, i, double(j - low) / double(centre - low));
      for (int64_t j = centre; j < high; ++j) set(j, i, double(high - j) / double(high - centre));
    }
  });
}

Bytes moved_mel_weight_matrix(const OpCall& call) { return call.outputs[0].bytes(); }

std::vector<OpExample> examples_mel_weight_matrix() {
  const auto number = [](int64_t n) { return example::known(integer_scalar(n)); };
  const auto hertz = [](float x) { return example::known(float_tensor({}, {x})); };
  return {{"8 bands", {}, {number(8), number(16), number(8192), hertz(0), hertz(4096)}}};
}

}  // namespace

const Op& mel_weight_matrix_op() {
  static const Op op{.name = "mel_weight_matrix",
                     .onnx = {"MelWeightMatrix"},
                     .roles = "c",
                     .required_inputs = 5,
                     .infer = infer_mel_weight_matrix,
                     .reference = reference_mel_weight_matrix,
                     .gradient = no_gradient,
                     .examples = examples_mel_weight_matrix,
                     .moved = moved_mel_weight_matrix};
  return op;
}

}  // namespace plimsoll
