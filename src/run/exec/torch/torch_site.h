// TorchSite: one operation of a Program while a kernel of libtorch is chosen for it. TorchKernel: how it then runs,
// step after step, on its operands. A kernel that cannot do what is asked declines, and the operation runs by the
// host's reference maths.
#pragma once

#include <functional>
#include <string_view>

#include "model/ir/program.h"
#include "run/exec/compute_format.h"
#include "run/exec/torch/call.h"

namespace plimsoll {

// The tensors of an operation, in the memory of the plan. An absent one is empty.
class TorchOperands {
 public:
  std::vector<TorchTensor> inputs, outputs;

  const TorchTensor& in(size_t i) const { return i < inputs.size() ? inputs[i] : absent(); }
  const TorchTensor& out(size_t i) const { return i < outputs.size() ? outputs[i] : absent(); }
  bool has_out(size_t i) const { return out(i).present(); }

  // The result is output i: copied there, unless it was written there. Outputs may share memory with inputs, so a
  // kernel computes all of its results before it gives the first.
  void give(size_t i, const TorchTensor& result) const;

 private:
  static const TorchTensor& absent();
};

using TorchKernel = std::function<void(const TorchOperands&)>;  // empty: declined

class TorchSite {
 public:
  // Borrows both. A kernel may change the types of the outputs that only kernels of this backend read.
  TorchSite(Program& program, const Operation& operation, const ComputeFormat& format)
      : format(format), operation(operation), call(call_of(program, operation)), program_(program) {}

  const ComputeFormat format;
  const Operation& operation;
  const OpCall call;

  bool has_input(size_t i) const { return i < operation.inputs.size() && operation.inputs[i].present(); }
  bool has_output(size_t i) const { return i < operation.outputs.size() && operation.outputs[i].present(); }
  const TensorType& input(size_t i) const { return *program_.value(operation.inputs[i]).type; }
  const TensorType& output(size_t i) const { return *program_.value(operation.outputs[i]).type; }
  const Shape& shape(size_t i) const { return input(i).shape; }
  const Attributes& attributes() const { return operation.attributes; }
  // Every input and output that is there is of the type of input 0, which is f32 or f64.
  bool all_floats() const;
  // Of input 0: f32 or f64.
  bool of_floats() const;

  void change_type(size_t output, DType type) { program_.value(operation.outputs[output]).type->dtype = type; }

  TorchKernel decline(std::string_view why) {
    why_not = why;
    return {};
  }
  std::string_view why_not;

 private:
  Program& program_;
};

}  // namespace plimsoll
