// differentiate: appends the backward pass to a Program that ends in a loss. Every operation from the loss to
// the parameters writes its own backward pass (Op::gradient); what none of these reads dies early.
#pragma once

#include "model/ir/program.h"
#include "model/passes/parameter_gradient.h"

namespace plimsoll {

// The gradient of each parameter that the loss depends on, in the order of the parameters. An Error names the
// operation that has no gradient.
Result<std::vector<ParameterGradient>> differentiate(Program& program);

}  // namespace plimsoll
