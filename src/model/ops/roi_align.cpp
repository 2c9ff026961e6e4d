// roi_align: the mean (or largest) of bilinear samples in each bin of each region (x1, y1, x2, y2) of
// the image that input 2 names. coordinate_transformation_mode half_pixel unless told, as from opset 16 on.
// Cost: 8 a sample (four weighted corners and their sum); where sampling_ratio leaves their number to
// the data, 2 × 2 samples a bin are taken.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "model/ir/work_limit.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestRatio = 1 << 15;
constexpr double kMostPoints = 1 << 26;  // of one run: regions are data, and may be of any size

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

Cost sampling_cost(const OpCall& call, Count outputs) {
  const int64_t stated = call.attributes.integer("sampling_ratio", 0), ratio = stated > 0 ? stated : 2;
  return {{}, as<Flops>(outputs * (ratio * ratio) * 8)};
}

Cost cost_roi_align(const OpCall& call) { return sampling_cost(call, call.outputs[0].elements()); }

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

// A number of the image and what is taken of it. A sample outside has corners with a weight of 0.
struct Corner {
  int64_t offset;
  double weight;
};

// Visits every sample of one bin: f(its four corners).
template <class F>
void for_samples(const Shape& shape, const Bins& rows, const Bins& columns, int64_t row, int64_t column, F&& f) {
  for (int64_t i = 0; double(i) < rows.samples; ++i)
    for (int64_t j = 0; double(j) < columns.samples; ++j) {
      const Between h = between(rows.place(row, i), shape[2]), w = between(columns.place(column, j), shape[3]);
      const double all = h.inside && w.inside ? 1 : 0;
      f(std::array{Corner{h.low * shape[3] + w.low, all * (1 - h.share) * (1 - w.share)},
                   Corner{h.low * shape[3] + w.high, all * (1 - h.share) * w.share},
                   Corner{h.high * shape[3] + w.low, all * h.share * (1 - w.share)},
                   Corner{h.high * shape[3] + w.high, all * h.share * w.share}});
    }
}

// What each output takes: f(output, plane, corner) for every corner of a mean, for the one that counts of a maximum.
// ONNX's maximum takes the largest weighted corner, not the largest sample. False when there are too many samples.
template <class F>
bool for_corners(const OpCall& call, const Shape& shape, const Shape& to, const std::vector<double>& x,
                 const std::vector<double>& rois, const std::vector<double>& images, F&& f) {
  const bool largest = call.attributes.text("mode", "avg") == "max";
  double samples = 0;
  for (int64_t r = 0; r < to[0]; ++r) {
    const Bins rows = bins_of(call, rois[size_t(r * 4 + 1)], rois[size_t(r * 4 + 3)], to[2]);
    const Bins columns = bins_of(call, rois[size_t(r * 4)], rois[size_t(r * 4 + 2)], to[3]);
    const double here = rows.samples * std::max(columns.samples, 1.0) * double(to[1] * to[2] * to[3]);
    samples += here;
    if (!(samples <= kMostPoints) || !may_work(Count(int64_t(here) * 4))) return false;
    const double image = images[size_t(r)];
    if (!(image >= 0 && image < double(shape[0]))) continue;
    for (int64_t i = 0; i < to[1] * to[2] * to[3]; ++i) {
      const int64_t plane = (int64_t(image) * shape[1] + i / (to[2] * to[3])) * shape[2] * shape[3];
      const auto output = size_t(r * to[1] * to[2] * to[3] + i);
      const double share = 1 / std::max(rows.samples * columns.samples, 1.0);
      std::optional<Corner> best;
      for_samples(shape, rows, columns, i / to[3] % to[2], i % to[3], [&](const std::array<Corner, 4>& corners) {
        for (const Corner& corner : corners) {
          if (corner.weight != 0 && !largest) f(output, plane, Corner{corner.offset, corner.weight * share});
          const auto number = [&](const Corner& at) {
            return at.weight == 0 ? 0 : at.weight * x[size_t(plane + at.offset)];
          };
          if (largest && (!best || number(*best) < number(corner))) best = corner;
        }
      });
      if (best && best->weight != 0) f(output, plane, *best);
    }
  }
  return true;
}

bool reference_roi_align(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  const bool done = for_corners(call, in[0].shape(), out[0].shape(), x, read_doubles(in[1]), read_doubles(in[2]),
                                [&](size_t to, int64_t plane, const Corner& corner) {
                                  y[to] += corner.weight * x[size_t(plane + corner.offset)];
                                });
  if (done) write_doubles(out, 0, y);
  return done;
}

// dy, regions, images, and x for a maximum → dx.
bool reference_roi_align_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  const bool done = for_corners(call, out[0].shape(), in[0].shape(), read_doubles(in, 3), read_doubles(in[1]),
                                read_doubles(in[2]), [&](size_t from, int64_t plane, const Corner& corner) {
                                  dx[size_t(plane + corner.offset)] += corner.weight * dy[from];
                                });
  if (done) write_doubles(out, 0, dx);
  return done;
}

// Regions are found, not learned: no gradient flows to them, as in other frameworks.
void gradient_roi_align(Backward& backward) {
  static const Op grad{.name = "roi_align_grad",
                       .onnx = {},
                       .roles = "xttx",
                       .required_inputs = 3,
                       .infer = infer_moved_back,
                       .cost = [](const OpCall& call) { return sampling_cost(call, call.type(0).elements()); },
                       .reference = reference_roi_align_grad};
  if (!backward.wants(0)) return;
  std::vector<ValueId> inputs{backward.gradient(), backward.input(1), backward.input(2)};
  if (backward.attributes().text("mode", "avg") == "max") inputs.push_back(backward.input(0));
  backward.set(0, backward.emit(grad, std::move(inputs),
                                with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
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
                     .roles = "xtt",
                     .required_inputs = 3,
                     .infer = infer_roi_align,
                     .cost = cost_roi_align,
                     .reference = reference_roi_align,
                     .gradient = gradient_roi_align,
                     .examples = examples_roi_align};
  return op;
}

}  // namespace plimsoll
