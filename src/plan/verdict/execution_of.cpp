#include "plan/verdict/execution_of.h"

namespace plimsoll {
namespace {

Software software_of(Framework framework) {
  switch (framework) {
    case Framework::pytorch: return Software::pytorch;
    case Framework::tensorflow: return Software::tensorflow;
    case Framework::plimsoll:
    case Framework::hf:
    case Framework::vllm:
    case Framework::llama_cpp:
    case Framework::gpt_fast: break;
  }
  return Software::plimsoll;
}

}  // namespace

// Mixed precision computes in the format of its activations.
Execution execution_of(const FitQuestion& question) {
  Execution execution;
  execution.software = software_of(question.framework);
  execution.dtype = question.format.activations.value_or(DType::f32);
  execution.conv_methods = question.conv_methods;
  execution.layout = question.layout;
  execution.compiled = question.compiled;
  execution.torch = question.torch;
  return execution;
}

}  // namespace plimsoll
