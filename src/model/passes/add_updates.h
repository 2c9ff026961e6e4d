// add_updates: the end of a training step. For every parameter with a gradient it appends the optimizer's operation
// and adds the values that it needs: a state for each tensor the optimizer keeps ("conv1.weight.momentum"), and
// one "learning_rate" and one "step" for all. New parameters and states live in the memory of the old.
#pragma once

#include "model/optim/optimizer.h"
#include "model/passes/parameter_gradient.h"

namespace plimsoll {

// What an optimizer's tensors are stored in.
enum class StateFormat : uint8_t {
  f32,           // whatever the parameter is: our own engine
  as_parameter,  // the parameter's own: PyTorch and TensorFlow make state like the parameter
};

// `settings`: the optimizer's, where they are not the usual ones.
Status add_updates(Program& program, const std::vector<ParameterGradient>& gradients, const Optimizer& optimizer,
                   const Attributes& settings = {}, StateFormat format = StateFormat::f32);

}  // namespace plimsoll
