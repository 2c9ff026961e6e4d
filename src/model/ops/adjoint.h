// The backward operation of an op that is linear in input 0, as emit_moved_back() emits it: inputs are dy and the op's
// own from 1 on, attributes the op's own and "input_shape".
#pragma once

#include "model/ops/gradient.h"

namespace plimsoll {

// The forward call again: input 0 has "input_shape" in the place of dy's.
class ForwardCall {
 public:
  explicit ForwardCall(const OpCall& backward);
  ForwardCall(const ForwardCall&) = delete;
  ForwardCall& operator=(const ForwardCall&) = delete;

  const OpCall& operator*() const { return call_; }

 private:
  TensorType first_;
  OpCall call_;
};

Op adjoint_op(std::string_view name, CostRule cost, Reference reference);

}  // namespace plimsoll
