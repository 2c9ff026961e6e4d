// What softmax and log_softmax share: the largest number of each slice along an axis, and the sum of
// e^(x - largest), which neither overflows nor loses the small ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/ops/axis_slices.h"
#include "model/ops/doubles.h"

namespace plimsoll {

// y = f(x, largest, sum) for every number of every slice.
template <class F>
bool by_exponentials(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out, F&& f) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const auto x = read_doubles(in[0]);
  std::vector<double> y(x.size());
  for_slices(slices, [&](const auto& at) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < slices.length; ++i) largest = std::max(largest, x[at(i)]);
    for (int64_t i = 0; i < slices.length; ++i) sum += std::exp(x[at(i)] - largest);
    for (int64_t i = 0; i < slices.length; ++i) y[at(i)] = f(x[at(i)], largest, sum);
  });
  write_doubles(out, 0, y);
  return true;
}

}  // namespace plimsoll
