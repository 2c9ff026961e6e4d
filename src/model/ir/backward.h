// Backward: the backward pass of one operation while its gradient rule writes it. The rule reads forward
// values and gradients of outputs, emits operations, and sets the gradients of the inputs.
//
// A forward value that a rule reads stays in memory until then, so a rule reads the smallest it can do with.
// A rule that meets a case it has no gradient for says so with fail(); nothing is emitted after that.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

class Backward {
 public:
  // `gradients`: of each output, absent where the loss does not depend on it. `wanted`: of each input.
  Backward(Program& program, const Operation& forward, std::vector<ValueId> gradients, std::vector<bool> wanted);
  Backward(const Backward&) = delete;
  Backward& operator=(const Backward&) = delete;

  // The forward call, with the types of its outputs.
  const OpCall& call() const { return call_; }
  const Op& op() const { return *forward_.op; }
  const Attributes& attributes() const { return forward_.attributes; }
  const TensorType& output_type(size_t i) const { return call_.outputs.at(i); }

  bool wants(size_t input) const { return input < wanted_.size() && wanted_[input]; }
  ValueId input(size_t i) const { return i < forward_.inputs.size() ? forward_.inputs[i] : ValueId{}; }
  ValueId output(size_t i) const { return i < forward_.outputs.size() ? forward_.outputs[i] : ValueId{}; }
  ValueId gradient(size_t output = 0) const { return gradients_.at(output); }

  // Appends an operation; its outputs, all absent after a failure. `inputs` may have absent ones.
  std::vector<ValueId> emit(const Op& op, std::vector<ValueId> inputs, Attributes attributes, size_t outputs);
  ValueId emit(const Op& op, std::vector<ValueId> inputs, Attributes attributes = {});
  ValueId constant(Tensor tensor);

  void set(size_t input, ValueId gradient);

  void fail(const std::string& why);

  const std::vector<ValueId>& input_gradients() const { return input_gradients_; }
  const Status& status() const { return status_; }
  const TensorType& type_of(ValueId id) const { return *program_.value(id).type; }

 private:
  Program& program_;
  const Operation forward_;  // a copy: what emit() appends moves the program's own
  std::vector<TensorType> input_types_;
  OpCall call_;
  std::vector<ValueId> gradients_;
  std::vector<bool> wanted_;
  std::vector<ValueId> input_gradients_;
  Status status_;
};

// The rule of an op whose output does not move with its inputs: rounding, signs, comparisons.
void no_gradient(Backward& backward);

// Appends an operation to the program with the types of its outputs, its costs and its phase. The names of
// the outputs are the operation's.
Result<std::vector<ValueId>> append(Program& program, Operation operation, size_t outputs);

}  // namespace plimsoll
