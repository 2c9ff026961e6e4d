// expand: a tensor repeated along axes of size 1 until it has the shape it broadcasts to.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_expand(const OpCall& call) {
  PLIM_ASSIGN(auto wanted, call.integers("shape", 1));
  if (!wanted) return user_error("no target shape is given");
  for (const int64_t size : *wanted)
    if (size < 0) return user_error(fmt::format("the target shape {} has a negative size", fmt::join(*wanted, "x")));
  PLIM_ASSIGN(const Shape shape, broadcast(call.shape(0), Shape(std::move(*wanted))));
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_expand(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  const size_t size = element_size(in[0].dtype());
  broadcast_walk<1>(out[0].shape(), {&in[0].shape()},
                    [&](int64_t i, const auto& at) { copy_element(in[0], at[0], out[0], i, size); });
  return true;
}

std::vector<OpExample> examples_expand() {
  return {{"columns", {}, {example::f32({2, 1, 4}), example::ints({1, 3, 1})}},
          {"a scalar", {}, {example::f32({}), example::ints({2, 2})}}};
}

}  // namespace

const Op& expand_op() {
  static const Op op{.name = "expand",
                     .kind = OpKind::movement,
                     .onnx = {"Expand"},
                     .roles = "xc",
                     .required_inputs = 2,
                     .infer = infer_expand,
                     .reference = reference_expand,
                     .gradient = movement_gradient<expand_op>,
                     .examples = examples_expand,
                     .strided_view = true};
  return op;
}

}  // namespace plimsoll
