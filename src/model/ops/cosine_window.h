// Windows for signals that are sums of cosines: a0 - a1 cos(2πn/N) + a2 cos(4πn/N).
#pragma once

#include "model/ir/backward.h"
#include "model/ir/op.h"

namespace plimsoll {

// A window with these three coefficients. Counted per number: three operations for each cosine.
struct CosineWindow {
  double a0, a1, a2;
};

Result<std::vector<TensorType>> cosine_window_type(const OpCall& call);
bool cosine_window(const CosineWindow& window, const OpCall& call, const TensorView& out);
std::vector<OpExample> cosine_window_examples();
Bytes cosine_window_moved(const OpCall& call);

template <const CosineWindow& window>
Op cosine_window_op(std::string_view name, std::string_view onnx) {
  Op op;
  op.name = name;
  op.onnx = {onnx};
  op.roles = "c";
  op.infer = cosine_window_type;
  op.cost = [](const OpCall& call) {
    return Cost{{}, as<Flops>(call.outputs[0].elements() * (window.a2 == 0 ? 3 : 6))};
  };
  op.reference = [](const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
    return cosine_window(window, call, out[0]);
  };
  op.gradient = no_gradient;
  op.examples = cosine_window_examples;
  op.moved = cosine_window_moved;
  return op;
}

}  // namespace plimsoll
