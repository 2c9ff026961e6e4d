// What gradient rules share: gradients of what was broadcast, of what was only moved, and short spellings.
#pragma once

#include <optional>
#include <string>

#include "model/ir/backward.h"

namespace plimsoll {

inline Op with_gradient(Op op, GradientRule rule) {
  op.gradient = rule;
  return op;
}

// The attributes and one more.
inline Attributes with(Attributes attributes, std::string name, Attribute value) {
  attributes.set(std::move(name), std::move(value));
  return attributes;
}

std::vector<int64_t> sizes_of(const Shape& shape);

// `value`, summed over what broadcasting had repeated of input i: it has that input's shape.
ValueId like_input(Backward& backward, size_t i, ValueId value);

// A gradient (batch, channels, …) summed for each channel: of a bias.
ValueId sum_per_channel(Backward& backward, ValueId value);

// `value` · `factor`; `value` itself for 1.
ValueId scaled(Backward& backward, ValueId value, double factor);

// Zeros of that type, written by the program.
ValueId zeros(Backward& backward, const TensorType& type);

// The rule of a view: its gradient in the shape of the input.
void view_gradient(Backward& backward);

// The backward operation of an op that only moves numbers of input 0: each number of dx is the sum of dy over
// the places that it was moved to. Inputs: dy, then the op's own inputs from 1 on; attributes: the op's own and
// "input_shape". Where each number came from is told by the forward maths itself, run on places.
bool moved_back(const Op& forward, const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out);
Result<std::vector<TensorType>> infer_moved_back(const OpCall& call);
Cost cost_moved_back(const OpCall& call);  // one addition a number of dy
// `unread`: an input that plays no part in where numbers go.
void emit_moved_back(Backward& backward, const Op& grad, std::optional<size_t> unread = std::nullopt);

template <const Op& (*forward)()>
const Op& movement_grad() {
  static const std::string name = std::string(forward().name) + "_grad";
  static const Op grad{
      .name = name,
      .kind = forward().kind,
      .onnx = {},
      .roles = "xc",
      .infer = infer_moved_back,
      .cost = cost_moved_back,
      .reference = [](const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
        return moved_back(forward(), call, in, out);
      }};
  return grad;
}

template <const Op& (*forward)()>
void movement_gradient(Backward& backward) {
  emit_moved_back(backward, movement_grad<forward>());
}

}  // namespace plimsoll
