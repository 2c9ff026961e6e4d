// Scales and zero points of quantised tensors: one for the whole tensor, one for each place along an
// axis, or one for each block along it (opset 21).
#pragma once

#include "model/ir/backward.h"

namespace plimsoll {

struct QuantScales {
  enum class Kind { whole, axis, blocks } kind = Kind::whole;
  int64_t length = 1, inner = 1;  // of the axis, and of a step along it
  int64_t block = 1, blocks = 1;

  // Where the scale of element i is.
  size_t index(size_t i) const;
};

// Of x = input 0, scale = input 1 and zero point = input 2, attributes axis and block_size.
Result<QuantScales> quant_scales(const OpCall& call);

// As a quantised number: rounded to the nearest, to the even one of two. Divided in single precision
// as kernels do, which decides the ties.
double quantised(double x, double scale, double zero_point);

// Scales and zero points of the operands of a quantised product: one for the matrix, or one for each
// row of the left (column of the right) operand, in each matrix of a batch or in all.
struct LineScales {
  int64_t rows = 1, columns = 1;
  bool by_row = true;

  size_t index(size_t i, size_t count) const;  // of `count` scales, the one of element i
};

LineScales row_scales(const Shape& matrix);
LineScales column_scales(const Shape& matrix);
Status check_lines(const LineScales& lines, const Shape& matrix, const TensorType& scales, std::string_view what);

// numbers[i] - zero points: the integers that a quantised operand stands for.
void subtract(std::vector<double>& numbers, const std::vector<double>& zero_points, const LineScales& lines);

// The gradient rule of quantised operations: they are trained before they are quantised.
void decline_quantised(Backward& backward);

}  // namespace plimsoll
