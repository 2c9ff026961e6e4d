#include "plan/verdict/execution_of.h"

namespace plimsoll {
// Mixed precision computes in the format of its activations.
Execution execution_of(const FitQuestion& question) {
  Execution execution;
  execution.framework = question.framework;
  execution.dtype = question.format.activations.value_or(DType::f32);
  execution.conv_methods = question.conv_methods;
  execution.layout = question.layout;
  execution.compiled = question.compiled;
  execution.torch = question.torch;
  return execution;
}

}  // namespace plimsoll
