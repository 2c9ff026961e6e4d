// What autograd keeps from the forward to the backward pass: values of the forward pass that the backward pass reads,
// each memory once, as the framework stores them. Parameters and buffers are not among it.
#pragma once

#include "model/ir/program.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

// `step`: a whole one, in the form that the framework runs.
Bytes kept_for_backward(const Program& step, const FrameworkProfile& profile);

}  // namespace plimsoll
