// hardmax: 1 at the first largest number of each slice along one axis (axis_slices.h), 0 elsewhere.
// Cost: 1 an element (the comparison).
#include "model/ir/backward.h"
#include "model/ops/axis_slices.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

bool reference_hardmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const auto x = read_doubles(in[0]);
  std::vector<double> y(x.size());
  for_slices(slices, [&](const auto& at) {
    int64_t best = 0;
    for (int64_t i = 1; i < slices.length; ++i)
      if (x[at(i)] > x[at(best)]) best = i;
    if (slices.length > 0) y[at(best)] = 1;
  });
  write_doubles(out, 0, y);
  return true;
}

}  // namespace

const Op& hardmax_op() {
  static const Op op{.name = "hardmax",
                     .onnx = {"Hardmax"},
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<1>,
                     .reference = reference_hardmax,
                     .gradient = no_gradient,
                     .examples = slice_examples};
  return op;
}

}  // namespace plimsoll
