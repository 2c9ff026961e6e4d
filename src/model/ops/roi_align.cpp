// roi_align: the mean (or largest) of bilinear samples in each bin of each region (x1, y1, x2, y2) of
// the image that input 2 names. coordinate_transformation_mode half_pixel unless told, as from opset 16 on.
// Cost: 8 a sample (four weighted corners and their sum); where sampling_ratio leaves their number to
// the data, 2 × 2 samples a bin are taken.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestRatio = 1 << 15;
constexpr double kMostSamples = 1 << 26;  // of one run: regions are data, and may be of any size

Result<std::vector<TensorType>> infer_roi_align(const OpCall& call) {
  const Shape &x = call.shape(0), &rois = call.shape(1);
  if (x.rank() != 4 || rois.rank() != 2 || rois[1] != 4 || call.shape(2) != Shape{rois[0]})
    return user_error(fmt::format("input {}, regions {}, images {}: expected images, (regions, 4) and (regions)",
                                  x.text(), rois.text(), call.shape(2).text()));
  const int64_t height = call.attributes.integer("output_height", 1),
                width = call.attributes.integer("output_width", 1);
  const int64_t ratio = call.attributes.integer("sampling_ratio", 0);
  if (height < 1 || width < 1 || ratio < 0 || ratio > kLargestRatio)
    return user_error(
        fmt::format("output {}x{} with sampling_ratio {}: expected sizes of at least 1, a ratio of 0 to {}", height,
                    width, ratio, kLargestRatio));
  const std::string mode = call.attributes.text("mode", "avg");
  if (mode != "avg" && mode != "max") return user_error("mode is not one of avg, max");
  return std::vector{TensorType{call.dtype(0), {rois[0], x[1], height, width}}};
}

Cost cost_roi_align(const OpCall& call) {
  const int64_t stated = call.attributes.integer("sampling_ratio", 0), ratio = stated > 0 ? stated : 2;
  return {{}, as<Flops>(call.outputs[0].elements() * (ratio * ratio) * 8)};
}

// The two places between which a coordinate lies and the share of the upper one.
struct Between {
  int64_t low, high;
  double share;
  bool inside;
};

Between between(double x, int64_t size) {
  if (!(x >= -1 && x <= double(size)) || size < 1) return {0, 0, 0, false};
  x = std::max(x, 0.0);
  const auto low = std::min(int64_t(x), size - 1);
  return low == size - 1 ? Between{low, low, 0, true} : Between{low, low + 1, x - double(low), true};
}

// A region along one axis: bins of `size` from `start`, `samples` in each.
struct Bins {
  double start, size;
  double samples;

  double place(int64_t bin, int64_t sample) const {
    return start + size * (double(bin) + (double(sample) + 0.5) / samples);
  }
};

Bins bins_of(const OpCall& call, double from, double to, int64_t bins) {
  const double scale = call.attributes.number("spatial_scale", 1);
  const bool half = call.attributes.text("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  const double start = from * scale - (half ? 0.5 : 0), end = to * scale - (half ? 0.5 : 0);
  const double length = half ? end - start : std::max(end - start, 1.0);
  const auto ratio = double(call.attributes.integer("sampling_ratio", 0));
  return {start, length / double(bins), ratio > 0 ? ratio : std::max(std::ceil(length / double(bins)), 0.0)};
}

double pooled(const double* plane, const Shape& shape, const Bins& rows, const Bins& columns, int64_t row,
              int64_t column, bool largest) {
  double result = 0;
  bool any = false;
  for (int64_t i = 0; double(i) < rows.samples; ++i)
    for (int64_t j = 0; double(j) < columns.samples; ++j) {
      const Between h = between(rows.place(row, i), shape[2]), w = between(columns.place(column, j), shape[3]);
      double corners[4] = {0, 0, 0, 0};
      if (h.inside && w.inside) {
        corners[0] = (1 - h.share) * (1 - w.share) * plane[h.low * shape[3] + w.low];
        corners[1] = (1 - h.share) * w.share * plane[h.low * shape[3] + w.high];
        corners[2] = h.share * (1 - w.share) * plane[h.high * shape[3] + w.low];
        corners[3] = h.share * w.share * plane[h.high * shape[3] + w.high];
      }
      // ONNX's max takes the largest weighted corner, not the largest sample.
      const double most = *std::max_element(corners, corners + 4);
      if (largest) result = any ? std::max(result, most) : most;
      else result += corners[0] + corners[1] + corners[2] + corners[3];
      any = true;
    }
  return largest ? result : result / std::max(rows.samples * columns.samples, 1.0);
}

bool reference_roi_align(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape &shape = in[0].shape(), &to = out[0].shape();
  const auto x = read_doubles(in[0]), rois = read_doubles(in[1]), images = read_doubles(in[2]);
  const bool largest = call.attributes.text("mode", "avg") == "max";
  std::vector<double> y(size_t(out[0].size()));
  double samples = 0;
  for (int64_t r = 0; r < to[0]; ++r) {
    const Bins rows = bins_of(call, rois[size_t(r * 4 + 1)], rois[size_t(r * 4 + 3)], to[2]);
    const Bins columns = bins_of(call, rois[size_t(r * 4)], rois[size_t(r * 4 + 2)], to[3]);
    samples += rows.samples * std::max(columns.samples, 1.0) * double(to[1] * to[2] * to[3]);
    if (!(samples <= kMostSamples)) return false;
    const double image = images[size_t(r)];
    if (!(image >= 0 && image < double(shape[0]))) continue;
    for (int64_t i = 0; i < to[1] * to[2] * to[3]; ++i) {
      const double* plane = x.data() + (int64_t(image) * shape[1] + i / (to[2] * to[3])) * shape[2] * shape[3];
      y[size_t(r * to[1] * to[2] * to[3] + i)] =
          pooled(plane, shape, rows, columns, i / to[3] % to[2], i % to[3], largest);
    }
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_roi_align() {
  using example::f32, example::i64;
  const Attributes mean{{"output_height", int64_t{2}}, {"output_width", int64_t{3}}, {"sampling_ratio", int64_t{2}}};
  Attributes largest = mean;
  largest.set("mode", std::string("max"));
  largest.set("coordinate_transformation_mode", std::string("output_half_pixel"));
  const std::vector<OpExample::Input> inputs{f32({2, 3, 8, 9}), f32({2, 4}), i64({2})};
  return {{"mean", mean, inputs}, {"largest", largest, inputs}};
}

}  // namespace

const Op& roi_align_op() {
  static const Op op{.name = "roi_align",
                     .onnx = {"RoiAlign"},
                     .required_inputs = 3,
                     .infer = infer_roi_align,
                     .cost = cost_roi_align,
                     .reference = reference_roi_align,
                     .examples = examples_roi_align};
  return op;
}

}  // namespace plimsoll
