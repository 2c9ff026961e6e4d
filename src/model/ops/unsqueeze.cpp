// unsqueeze: puts in axes of size 1; the axes are places in the output.
#include <fmt/format.h>

#include "model/ops/copy.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr size_t kMostAxes = 64;  // more than any tensor has

Result<std::vector<TensorType>> infer_unsqueeze(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(auto given, call.integers("axes", 1));
  if (!given) return user_error("no axes are given");
  if (given->size() > kMostAxes)
    return user_error(fmt::format("{} axes are given, expected at most {}", given->size(), kMostAxes));
  const int rank = from.rank() + int(given->size());
  PLIM_ASSIGN(const auto axes, read_axes(*given, rank));
  Shape shape(std::vector<int64_t>(size_t(rank), -1));
  for (const int axis : axes) shape[axis] = 1;
  int next = 0;
  for (int axis = 0; axis < rank; ++axis)
    if (shape[axis] < 0) shape[axis] = from[next++];
  return std::vector{TensorType{call.dtype(0), shape}};
}

std::vector<OpExample> examples_unsqueeze() {
  return {{"axes as input", {}, {example::f32({2, 3}), example::ints({1, -1})}},
          {"axes as attribute", {{"axes", example::Ints{2}}}, {example::f32({2, 3})}}};
}

}  // namespace

const Op& unsqueeze_op() {
  static const Op op{.name = "unsqueeze",
                     .before_activation = true,
                     .onnx = {"Unsqueeze"},
                     .roles = "xc",
                     .infer = infer_unsqueeze,
                     .reference = copy_reference,
                     .gradient = view_gradient,
                     .examples = examples_unsqueeze,
                     .storage = Storage::view};
  return op;
}

}  // namespace plimsoll
