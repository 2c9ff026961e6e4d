// Reference maths in double precision: a tensor's numbers read into a vector, whatever number
// type holds them, and written back. Slow and plain; no mix of types can read out of bounds.
#pragma once

#include <span>
#include <vector>

#include "model/ir/op.h"

namespace plimsoll {

// Every present tensor is of a type that reference maths computes with.
bool all_numbers(std::span<const TensorView> in, std::span<const TensorView> out);

std::vector<double> read_doubles(const TensorView& view);

// The numbers of input i, or none when it is absent.
std::vector<double> read_doubles(std::span<const TensorView> in, size_t i);

// The first number of input i, or the fallback when it is absent or empty.
double read_double(std::span<const TensorView> in, size_t i, double fallback);

// Does nothing when output i is absent. See clamped() for integer types.
void write_doubles(std::span<const TensorView> out, size_t i, const std::vector<double>& numbers);

// The number in T: towards zero and to the nearest end of its range for an integer type, NaN as 0.
template <class T>
T clamped(double number);

}  // namespace plimsoll
