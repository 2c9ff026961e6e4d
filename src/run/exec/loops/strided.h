// Numbers that move from one order to another: every axis has a stride on either side. A stride of 0 repeats a number
// on its way out, or adds up on its way in.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

struct StridedAxis {
  int64_t size, from, to;  // strides in numbers
};

struct StridedMove {
  std::vector<StridedAxis> axes;  // outermost first
  int64_t from = 0, to = 0;       // of the first number

  int64_t numbers() const;
};

// The same move with axes of size 1 left out, and neighbours that step alike as one.
StridedMove merged(StridedMove move);

// to[…] = from[…]: no place is written twice.
void move_numbers(const StridedMove& move, const float* from, float* to);

// y = a ∘ b over `axes`, whose strides are those of a and b; y lies row-major in the same order.
enum class Pairwise { add, subtract, multiply, divide };
void combine_strided(const std::vector<StridedAxis>& axes, Pairwise how, const float* a, const float* b, float* y);

// Sums over some axes: `kept` and `summed` have the strides of x as `from`; y lies row-major over `kept`.
void sum_strided(const std::vector<StridedAxis>& kept, const std::vector<StridedAxis>& summed, const float* x,
                 float* y);

void fill_zero(float* to, int64_t numbers);

}  // namespace plimsoll
