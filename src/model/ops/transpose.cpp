// transpose: the axes in another order, reversed when none is given.
#include <fmt/format.h>

#include <numeric>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& transpose_op();

namespace {

Result<std::vector<int>> order_of(const OpCall& call) {
  const int rank = call.shape(0).rank();
  if (!call.attributes.has("perm")) {
    std::vector<int> reversed(size_t(rank), 0);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return reversed;
  }
  const auto perm = call.attributes.integers("perm");
  if (int(perm.size()) != rank)
    return user_error(
        fmt::format("perm names {} axes but the input is {} (rank {})", perm.size(), call.shape(0).text(), rank));
  return read_axes(perm, rank);
}

Result<std::vector<TensorType>> infer_transpose(const OpCall& call) {
  PLIM_ASSIGN(const auto order, order_of(call));
  Shape shape;
  for (const int axis : order) shape.push_back(call.shape(0)[axis]);
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_transpose(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const auto own = in[0].shape().strides();
  const std::vector<int> order = *order_of(call);
  std::vector<int64_t> strides;
  for (const int axis : order) strides.push_back(own[size_t(axis)]);
  move_strided(in[0], 0, strides, out[0]);
  return true;
}

std::vector<OpExample> examples_transpose() {
  return {{"reversed", {}, {example::f32({2, 3, 4})}},
          {"channels last", {{"perm", example::Ints{0, 2, 3, 1}}}, {example::f32({2, 3, 4, 5})}}};
}

void gradient_transpose(Backward& backward) {
  const std::vector<int> order = *order_of(backward.call());
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[size_t(order[i])] = int64_t(i);
  backward.set(0, backward.emit(transpose_op(), {backward.gradient()}, {{"perm", back}}));
}

}  // namespace

const Op& transpose_op() {
  static const Op op{.name = "transpose",
                     .kind = OpKind::movement,
                     .before_activation = true,
                     .onnx = {"Transpose"},
                     .infer = infer_transpose,
                     .reference = reference_transpose,
                     .gradient = gradient_transpose,
                     .examples = examples_transpose};
  return op;
}

}  // namespace plimsoll
