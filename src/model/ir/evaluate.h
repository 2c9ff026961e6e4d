// evaluate: one operation by its reference maths, on tensors whose contents are known. The
// slow, plain truth: constants are folded with it, tests and fast kernels compared against it.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// The outputs, or nullopt when the op has no reference maths for these types. `inputs` may
// hold nullptr for absent optional inputs.
Result<std::optional<std::vector<Tensor>>> evaluate(const Op& op, const Attributes& attributes,
                                                    const std::vector<const Tensor*>& inputs, size_t output_count);

}  // namespace plimsoll
