// Reads a grid of numbers at places between them, in any number of dimensions: nearest, linear or
// cubic, with zeros, the border or a mirror outside.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

enum class SampleMode { nearest, linear, cubic };
enum class Outside {
  zeros,
  border,
  mirror,
  mirror_at_centres
};  // mirrored at the outer edges, or at the outer numbers

// The number at `place` (one coordinate an axis, 0 being the first number's centre) of a row-major
// grid of these sizes, all at least 1. A place that is not a number reads as far outside.
double sample_at(const double* grid, const std::vector<int64_t>& size, const std::vector<double>& place,
                 SampleMode interpolation, Outside outside);

// One of the numbers that sample_at() adds up.
struct Neighbour {
  int64_t offset;
  double weight;
  std::vector<double> slope;  // of the weight along each axis
};
std::vector<Neighbour> neighbours_at(const std::vector<int64_t>& size, const std::vector<double>& place,
                                     SampleMode interpolation, Outside outside);

}  // namespace plimsoll
