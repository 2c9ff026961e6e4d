// One operation and its backward pass as a Program of its own, with the numbers that reference maths gives all its
// values: what every backend's kernels are compared with.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/ir/backward.h"
#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"
#include "run/exec/executor.h"
#include "tests/random_tensor.h"

namespace plimsoll {

// Convolutions of an inference leave the channels last, those of a training step in blocks.
enum class CaseSource { outside, dying, inference, training };
inline constexpr NumberRange kNumberRanges[] = {{0.15, 0.9, true}, {0.15, 0.9, false}, {1.2, 1.9, false}};

// One operation with its backward pass as a Program, and the numbers of all its values.
class OperationCase {
 public:
  OperationCase(const Op& op, const OpExample& example, CaseSource source, const NumberRange& range)
      : op_(op), example_(example), source_(source), range_(range), random_(7) {
    Operation operation{&op, std::string(op.name), "probe", {}, {}, example.attributes};
    for (size_t i = 0; i < example.inputs.size(); ++i) operation.inputs.push_back(input(i));
    auto outputs = append(program_, operation, example.outputs);
    if (!outputs.ok()) return;
    const size_t forward = program_.operations.size();
    if (op.gradient) add_backward(program_.operations.back());
    for (size_t i = 0; i < program_.operations.size() && (good_ || i == 0); ++i) {
      good_ = evaluate_operation(program_.operations[i], i < forward);
      if (!good_) return;
    }
    choose_outputs();
    if (source_ == CaseSource::training) program_.loss = program_.outputs.back();
  }

  // The shape rule, the maths and the range of numbers allow it.
  bool good() const { return good_; }
  const Program& program() const { return program_; }
  const Tensor& expected(ValueId id) const { return contents_.at(size_t(id.index)); }

  void fill(Executor& executor) const {
    for (size_t i = 0; i < contents_.size(); ++i) {
      const Role role = program_.values[i].role;
      if (role == Role::input || role == Role::parameter || role == Role::buffer)
        executor.write({int32_t(i)}, contents_[i].bytes);
    }
  }

 private:
  ValueId add(const TensorType& type, Role role, const NumberRange& range) {
    contents_.resize(program_.values.size());
    contents_.push_back(random_tensor(type, range, random_));
    return program_.add({"v", role, type, nullptr});
  }

  ValueId input(size_t i) {
    const auto& given = example_.inputs[i];
    if (given.constant) {
      contents_.resize(program_.values.size());
      contents_.push_back(*given.constant);
      return program_.add({"c", Role::constant, given.constant->type, given.constant});
    }
    const char role = op_.role(i);
    if (role == 'w' || role == 'v') return add(given.type, Role::parameter, range_);
    if (role == 'b') return add(given.type, Role::buffer, {0.15, 0.9, false});
    const ValueId id = add(given.type, Role::input, range_);
    program_.inputs.push_back(id);
    if (given.type.dtype != DType::f32 || role != 'x' || given.type.elements() == Count(0)) return id;
    const int rank = given.type.shape.rank();
    if (source_ == CaseSource::dying) return append(program_, {&op_named("abs"), "abs", "source", {id}}, 1)->at(0);
    if (source_ == CaseSource::outside || rank < 3 || rank > 5) return id;
    Shape weights{given.type.shape[1], given.type.shape[1]};
    while (weights.rank() < rank) weights.push_back(1);
    const ValueId filter = add({DType::f32, weights}, Role::parameter, {0, 0, false});
    for (int64_t c = 0; c < weights[0]; ++c) contents_.back().as<float>()[c * (weights[0] + 1)] = 1;  // x as it is
    return append(program_, {&op_named("conv"), "conv", "source", {id, filter}}, 1)->at(0);
  }

  // In a training step only the first output is part of the loss.
  void add_backward(const Operation forward) {
    const bool first_only =
        op_.name.ends_with("_train") || op_.name == "softmax_cross_entropy" || op_.name == "grouped_attention";
    const size_t operations = program_.operations.size();
    std::vector<ValueId> gradients;
    for (size_t i = 0; i < forward.outputs.size(); ++i) {
      const TensorType type = *program_.value(forward.outputs[i]).type;
      const bool flows = type.dtype == DType::f32 && (i == 0 || !first_only);
      gradients.push_back(flows ? add(type, Role::input, {0.15, 0.9, true}) : ValueId{});
      if (flows) program_.inputs.push_back(gradients.back());
    }
    std::vector<bool> wanted;
    for (size_t i = 0; i < forward.inputs.size(); ++i) {
      const char role = op_.role(i);
      wanted.push_back((role == 'x' || role == 'w' || role == 'v') && !example_.inputs[i].constant &&
                       example_.inputs[i].type.dtype == DType::f32);
    }
    Backward backward(program_, forward, gradients, wanted);
    op_.gradient(backward);
    if (!backward.status().ok()) program_.operations.resize(operations);
  }

  static bool is_finite(const Tensor& tensor) {
    if (!is_floating(tensor.type.dtype)) return true;
    for (const double number : tensor.doubles())
      if (!std::isfinite(number)) return false;
    return true;
  }

  bool evaluate_operation(const Operation& operation, bool forward) {
    contents_.resize(program_.values.size());
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].constant) contents_[i] = *program_.values[i].constant;
    std::vector<const Tensor*> inputs;
    for (const ValueId id : operation.inputs) inputs.push_back(id.present() ? &contents_[size_t(id.index)] : nullptr);
    auto outputs = evaluate(*operation.op, operation.attributes, inputs, operation.outputs.size());
    if (!outputs.ok() || !outputs->has_value()) return false;
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      if (forward && !is_finite((**outputs)[i])) return false;
      contents_[size_t(operation.outputs[i].index)] = std::move((**outputs)[i]);
    }
    return true;
  }

  // Places that a max pool remembers are each backend's own.
  void choose_outputs() {
    for (const auto& operation : program_.operations) {
      if (operation.name == "source") continue;
      for (size_t i = 0; i < operation.outputs.size(); ++i)
        if (operation.op->name != "max_pool_train" || i == 0) program_.outputs.push_back(operation.outputs[i]);
    }
  }

  const Op& op_;
  const OpExample& example_;
  const CaseSource source_;
  const NumberRange range_;
  std::mt19937 random_;
  Program program_;
  std::vector<Tensor> contents_;
  bool good_ = false;
};

// `tolerance`: of the largest number of the tensor.
inline void compare_tensors(const Tensor& ours, const Tensor& expected, double tolerance) {
  const auto numbers = ours.doubles(), wanted = expected.doubles();
  double largest = 0;
  for (const double number : wanted)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!std::isfinite(wanted[i])) continue;
    ASSERT_NEAR(numbers[i], wanted[i], tolerance * largest) << "at " << i;
  }
}

// Fills the executor, runs it, and compares every output of the case.
inline void compare_outputs(const OperationCase& probe, Executor& executor, double tolerance) {
  const Program& program = probe.program();
  probe.fill(executor);
  executor.compute();
  for (const auto& operation : program.operations) {
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      const ValueId id = operation.outputs[i];
      if (std::find(program.outputs.begin(), program.outputs.end(), id) == program.outputs.end()) continue;
      if (executor.program().value(id).type != program.value(id).type)
        continue;  // positions, of the backend's own kind
      SCOPED_TRACE(operation.op_name + ", output " + std::to_string(i));
      Tensor ours(*program.value(id).type);
      executor.read(id, ours.bytes);
      compare_tensors(ours, probe.expected(id), tolerance);
    }
  }
}

// The example with so many times the channels of every tensor that has some.
inline OpExample widened(OpExample example, int64_t factor) {
  if (example.inputs.empty()) return example;
  const int64_t channels = example.inputs[0].type.shape.rank() >= 2 ? example.inputs[0].type.shape[1] : 0;
  for (auto& input : example.inputs) {
    Shape& shape = input.type.shape;
    if (input.constant) continue;
    if (shape.rank() >= 2) shape[1] *= factor;
    else if (shape.rank() == 1 && shape[0] == channels) shape[0] *= factor;
  }
  return example;
}

}  // namespace plimsoll
