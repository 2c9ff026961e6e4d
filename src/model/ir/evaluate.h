// evaluate: one operation by its reference maths, on tensors whose contents are known. The
// slow, plain truth: constants are folded with it, tests and fast kernels compared against it.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// The outputs, or nullopt when the op has no reference maths for these types. `inputs` may
// hold nullptr for absent optional inputs.
Result<std::optional<std::vector<Tensor>>> evaluate(const Op& op, const Attributes& attributes,
                                                    const std::vector<const Tensor*>& inputs, size_t output_count);

// What reference maths takes for a call whose inputs are all known, in units of WorkLimit (work_limit.h), beyond what
// it asks for itself.
Count reference_work(const Op& op, const OpCall& call);

}  // namespace plimsoll
