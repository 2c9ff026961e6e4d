#include "model/ops/quantise.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {

size_t QuantScales::index(size_t i) const {
  if (kind == Kind::whole) return 0;
  const auto place = int64_t(i) / inner % length;
  if (kind == Kind::axis) return size_t(place);
  return size_t((int64_t(i) / (inner * length) * blocks + place / block) * inner + int64_t(i) % inner);
}

Result<QuantScales> quant_scales(const OpCall& call) {
  const Shape &x = call.shape(0), &scale = call.shape(1);
  const auto bad = [&] {
    return user_error(fmt::format(
        "scale of shape {} does not fit the input {}: expected one number, one for each "
        "place along axis {}, or blocks of block_size {}",
        scale.text(), x.text(), call.attributes.integer("axis", 1), call.attributes.integer("block_size", 0)));
  };
  if (call.has(2) && call.shape(2) != scale && call.shape(2).elements() != Count(1))
    return user_error(
        fmt::format("zero point has the shape {}, expected the scale's {}", call.shape(2).text(), scale.text()));
  if (call.has(2) && call.shape(2).elements() != scale.elements()) return bad();
  QuantScales scales;
  if (scale.rank() <= 1 && scale.elements() == Count(1)) return scales;
  PLIM_ASSIGN(int axis, normalise_axis(call.attributes.integer("axis", 1), x.rank()));
  scales.length = x[axis];
  scales.inner = x.elements(axis + 1, x.rank()).value();
  if (scale.rank() == 1 && scale[0] == x[axis]) {
    scales.kind = QuantScales::Kind::axis;
    return scales;
  }
  scales.block = call.attributes.integer("block_size", 0);
  if (scales.block < 1 || scale.rank() != x.rank()) return bad();
  scales.kind = QuantScales::Kind::blocks;
  scales.blocks = x[axis] / scales.block + (x[axis] % scales.block != 0);
  Shape expected = x;
  expected[axis] = scales.blocks;
  if (scale != expected) return bad();
  return scales;
}

// The quotient is rounded to f32 before it is rounded to an integer, as ONNX computes it: halves would fall
// the other way otherwise.
double quantised(double x, double scale, double zero_point) {
  return std::nearbyint(double(float(x / scale))) + zero_point;
}

size_t LineScales::index(size_t i, size_t count) const {
  if (count == 1) return 0;
  const auto at = int64_t(i);
  if (by_row) return size_t(int64_t(count) == rows ? at / columns % rows : at / columns);
  return size_t(int64_t(count) == columns ? at % columns : at / (rows * columns) * columns + at % columns);
}

LineScales row_scales(const Shape& matrix) {
  return {matrix.rank() > 1 ? matrix[matrix.rank() - 2] : 1, matrix[matrix.rank() - 1], true};
}

LineScales column_scales(const Shape& matrix) {
  if (matrix.rank() < 2) return {matrix[0], 1, false};
  return {matrix[matrix.rank() - 2], matrix[matrix.rank() - 1], false};
}

Status check_lines(const LineScales& lines, const Shape& matrix, const TensorType& scales, std::string_view what) {
  const Count count = scales.elements();
  const int64_t line = lines.by_row ? lines.rows : lines.columns;
  const int64_t across = lines.by_row ? lines.columns : lines.rows;
  if (count == Count(1) || count == Count(line) || count * across == matrix.elements()) return {};
  return user_error(fmt::format("{} has the shape {}, expected one number or one for each {} of {}", what,
                                scales.shape.text(), lines.by_row ? "row" : "column", matrix.text()));
}

void subtract(std::vector<double>& numbers, const std::vector<double>& zero_points, const LineScales& lines) {
  if (zero_points.empty()) return;
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] -= zero_points[lines.index(i, zero_points.size())];
}

void decline_quantised(Backward& backward) {
  backward.fail("rounded to a few bits, numbers have no gradient: a network is trained before it is quantised");
}

}  // namespace plimsoll
