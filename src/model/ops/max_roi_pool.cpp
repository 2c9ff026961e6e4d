// max_roi_pool: the largest number in each bin of each region of interest (batch index, x1, y1, x2, y2),
// cut into pooled_shape bins. An empty bin, and a region of no image, give 0.
// Cost: one comparison for each number of a bin, as if every region were the whole image.
#include <fmt/format.h>

#include <cmath>

#include "model/ir/work_limit.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_max_roi_pool(const OpCall& call) {
  const Shape &x = call.shape(0), &rois = call.shape(1);
  if (x.rank() != 4 || rois.rank() != 2 || rois[1] != 5)
    return user_error(fmt::format("input {} and regions {}: expected images and (regions, 5)", x.text(), rois.text()));
  const auto pooled = call.attributes.integers("pooled_shape");
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
    return user_error(fmt::format("pooled_shape is {}, expected two sizes of at least 1", fmt::join(pooled, "x")));
  return std::vector{TensorType{call.dtype(0), {rois[0], x[1], pooled[0], pooled[1]}}};
}

Cost searching_cost(const Shape& y, const Shape& x) {
  Count flops = y.elements();
  for (int axis = 2; axis < 4; ++axis) flops = flops * std::max<int64_t>(1, x[axis] / y[axis]);
  return {{}, as<Flops>(flops)};
}

Cost cost_max_roi_pool(const OpCall& call) { return searching_cost(call.outputs[0].shape, call.shape(0)); }

struct Span {
  int64_t first, last;  // [first, last)
};

// Bin i of `bins` along a region from `start` to `end` (both included), inside an axis of `size`.
Span bin_span(double start, double end, int64_t i, int64_t bins, int64_t size) {
  const double bin = std::max(end - start + 1, 1.0) / double(bins);
  const auto inside = [&](double x) { return clamped<int64_t>(std::min(std::max(x, 0.0), double(size))); };
  return {inside(std::floor(double(i) * bin) + start), inside(std::ceil(double(i + 1) * bin) + start)};
}

// Where each output's number is in x; -1 for an empty bin.
std::vector<int64_t> places_of(double scale, const Shape& shape, const std::vector<double>& x,
                               const std::vector<double>& rois, const Shape& to) {
  std::vector<int64_t> places(size_t(to.elements().value()), -1);
  for (int64_t i = 0; i < int64_t(places.size()); ++i) {
    const int64_t column = i % to[3], row = i / to[3] % to[2], channel = i / (to[3] * to[2]) % to[1];
    const double* roi = rois.data() + i / (to[3] * to[2] * to[1]) * 5;
    if (!(roi[0] >= 0 && roi[0] < double(shape[0]))) continue;
    // In single precision as kernels do, which decides the ties.
    const auto pixel = [&](int k) { return double(std::round(float(roi[k] * scale))); };
    const Span rows = bin_span(pixel(2), pixel(4), row, to[2], shape[2]);
    const Span columns = bin_span(pixel(1), pixel(3), column, to[3], shape[3]);
    const int64_t plane = (int64_t(roi[0]) * shape[1] + channel) * shape[2] * shape[3];
    int64_t& best = places[size_t(i)];
    for (int64_t h = rows.first; h < rows.last; ++h)
      for (int64_t w = columns.first; w < columns.last; ++w) {
        const int64_t at = plane + h * shape[3] + w;
        if (best < 0 || x[size_t(best)] < x[size_t(at)]) best = at;
      }
  }
  return places;
}

bool reference_max_roi_pool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  // Each region may be the whole image.
  const Shape& image = in[0].shape();
  if (!all_numbers(in, out) || !may_work(out[0].type->elements() * image[2] * image[3])) return false;
  const auto x = read_doubles(in[0]);
  const auto places =
      places_of(call.attributes.number("spatial_scale", 1), in[0].shape(), x, read_doubles(in[1]), out[0].shape());
  std::vector<double> y(places.size());
  for (size_t i = 0; i < y.size(); ++i) y[i] = places[i] < 0 ? 0 : x[size_t(places[i])];
  write_doubles(out, 0, y);
  return true;
}

// dy, x, regions → dx. The search for the largest is repeated.
bool reference_max_roi_pool_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto places = places_of(call.attributes.number("spatial_scale", 1), in[1].shape(), read_doubles(in[1]),
                                read_doubles(in[2]), in[0].shape());
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  for (size_t i = 0; i < dy.size(); ++i)
    if (places[i] >= 0) dx[size_t(places[i])] += dy[i];
  write_doubles(out, 0, dx);
  return true;
}

void gradient_max_roi_pool(Backward& backward) {
  static const Op grad{
      .name = "max_roi_pool_grad",
      .kind = OpKind::pool,
      .onnx = {},
      .roles = "xxt",
      .required_inputs = 3,
      .infer = [](const OpCall& call) -> Result<std::vector<TensorType>> { return std::vector{call.type(1)}; },
      .cost = [](const OpCall& call) { return searching_cost(call.shape(0), call.shape(1)); },
      .reference = reference_max_roi_pool_grad};
  if (backward.wants(0))
    backward.set(
        0, backward.emit(grad, {backward.gradient(), backward.input(0), backward.input(1)}, backward.attributes()));
}

std::vector<OpExample> examples_max_roi_pool() {
  using example::f32, example::Ints;
  return {{"two regions", {{"pooled_shape", Ints{2, 3}}}, {f32({2, 3, 8, 9}), f32({2, 5})}}};
}

}  // namespace

const Op& max_roi_pool_op() {
  static const Op op{.name = "max_roi_pool",
                     .kind = OpKind::pool,
                     .onnx = {"MaxRoiPool"},
                     .roles = "xt",
                     .required_inputs = 2,
                     .infer = infer_max_roi_pool,
                     .cost = cost_max_roi_pool,
                     .reference = reference_max_roi_pool,
                     .gradient = gradient_max_roi_pool,
                     .examples = examples_max_roi_pool};
  return op;
}

}  // namespace plimsoll
