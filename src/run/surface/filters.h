// Filters: the parameters of a network as one row of numbers, and which of them are one filter: the weights that make
// one channel, or one neuron. Random directions are scaled filter by filter (Li et al. 2018), so that networks whose
// weights differ in size can be compared.
#pragma once

#include "model/ir/program.h"
#include "run/surface/surface.h"

namespace plimsoll {

struct FilteredParameter {
  std::string name;
  Shape shape;
  size_t first = 0;         // place of its first number in the row
  std::optional<int> axis;  // along which filters are counted; absent: no filters (biases, norms)

  size_t count() const { return size_t(shape.elements().value()); }
};

// The parameters that the step updates, in the order of their updates. `step` is a training step as make_step()
// returned it.
std::vector<FilteredParameter> filtered_parameters(const Program& step);

// Normally distributed, each filter as long as the network's own; 0 where there are no filters.
Point filter_direction(const std::vector<FilteredParameter>& parameters, const Point& at, uint64_t seed);

}  // namespace plimsoll
