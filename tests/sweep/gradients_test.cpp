// Every gradient rule of all_ops against finite differences of the op's own reference maths, over its own
// examples: the loss is a weighted sum of the outputs, in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/ir/backward.h"
#include "model/ir/evaluate.h"
#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_pieces.h"
#include "tests/random_tensor.h"

namespace plimsoll {
namespace {

constexpr double kStep = 1e-5;
constexpr double kFarthest = 100;  // near a pole differences tell nothing

struct Range {
  const char* name;
  NumberRange numbers;
};
constexpr Range kRanges[] = {{"both signs", {0.15, 0.9, true}},
                             {"positive", {0.15, 0.9, false}},
                             {"above 1", {1.2, 1.9, false}},
                             {"far out", {2.2, 7.9, true}}};

Tensor fill(const OpExample::Input& input, const Range& range, std::mt19937& random) {
  if (input.constant && !is_floating(input.constant->type.dtype)) return *input.constant;
  TensorType type = input.type;
  if (is_floating(type.dtype)) type.dtype = DType::f64;
  if (!input.constant) return random_tensor(type, range.numbers, random);
  Tensor tensor(type);
  const auto numbers = input.constant->doubles();
  std::copy(numbers.begin(), numbers.end(), tensor.as<double>());
  return tensor;
}

// One operation on known numbers, its gradients by its rule and by differences.
class Probe {
 public:
  Probe(const Op& op, const OpExample& example, const Range& range, uint32_t seed)
      : op_(op),
        example_(example),
        in_training_(op.name.ends_with("_train") || op.name == "softmax_cross_entropy" ||
                     op.name == "grouped_attention") {
    std::mt19937 random(seed);
    for (const auto& input : example.inputs) inputs_.push_back(fill(input, range, random));
    outputs_ = forward();
    for (const auto& output : outputs_) {
      Tensor weight(output.type);
      // Of an op that stands in a training step only the first output is part of the loss.
      const bool counts = weights_.empty() || !in_training_;
      if (counts) {
        for_float(output.type.dtype, [&](auto zero) {  // statistics may be f32 whatever the input is
          using T = decltype(zero);
          for (size_t i = 0; i < weight.size(); ++i)
            weight.as<T>()[i] = T(std::uniform_real_distribution<double>(-1, 1)(random));
        });
      }
      weights_.push_back(std::move(weight));
    }
  }

  bool defined() const {
    for (const auto& output : outputs_) {
      if (!is_floating(output.type.dtype)) continue;
      for (const double number : output.doubles())
        if (!(std::abs(number) < kFarthest)) return false;
    }
    return !outputs_.empty();
  }

  bool moves(size_t i) const {  // an input that a gradient can be asked for
    const char role = op_.role(i);
    return is_floating(inputs_[i].type.dtype) && role != 'c' && role != 'b' && role != 't' &&
           !example_.inputs[i].constant;
  }

  double difference(size_t input, size_t place) {
    const double was = inputs_[input].as<double>()[place];
    inputs_[input].as<double>()[place] = was + kStep;
    const double above = loss();
    inputs_[input].as<double>()[place] = was - kStep;
    const double below = loss();
    inputs_[input].as<double>()[place] = was;
    return (above - below) / (2 * kStep);
  }

  // By the rule: the gradient of each input, absent ones empty.
  std::vector<Tensor> by_rule() {
    Program program;
    Operation operation{&op_, std::string(op_.name), "probe", {}, {}, example_.attributes};
    std::vector<ValueId> gradients;
    for (const auto& input : inputs_) operation.inputs.push_back(add(program, input, input_is_setting(input)));
    for (size_t i = 0; i < outputs_.size(); ++i) operation.outputs.push_back(add(program, outputs_[i], false));
    for (size_t i = 0; i < outputs_.size(); ++i)
      gradients.push_back(is_floating(outputs_[i].type.dtype) && (i == 0 || !in_training_)
                              ? add(program, weights_[i], false)
                              : ValueId{});
    std::vector<bool> wanted;
    for (size_t i = 0; i < inputs_.size(); ++i) wanted.push_back(moves(i));
    Backward backward(program, operation, gradients, wanted);
    op_.gradient(backward);
    EXPECT_EQ(backward.status().ok(), example_.trained)
        << (backward.status().ok() ? "does not decline" : backward.status().error().line());
    if (!backward.status().ok()) return {};
    for (const auto& emitted : program.operations) run(program, emitted);
    std::vector<Tensor> result;
    for (const ValueId id : backward.input_gradients())
      result.push_back(id.present() ? contents(program, id) : Tensor());
    return result;
  }

  const std::vector<Tensor>& inputs() const { return inputs_; }
  bool trained() const { return example_.trained; }

 private:
  std::vector<Tensor> forward() const {
    std::vector<const Tensor*> pointers;
    for (const auto& input : inputs_) pointers.push_back(&input);
    auto outputs = evaluate(op_, example_.attributes, pointers, example_.outputs);
    EXPECT_TRUE(outputs.ok()) << outputs.error().line();
    return outputs.ok() && outputs->has_value() ? **outputs : std::vector<Tensor>{};
  }

  double loss() const {
    double sum = 0;
    const auto outputs = forward();
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!is_floating(outputs[k].type.dtype)) continue;
      const auto numbers = outputs[k].doubles(), weights = weights_[k].doubles();
      for (size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] * weights[i];
    }
    return sum;
  }

  // Rules may look at the contents of settings (shapes, axes), not at data.
  static bool input_is_setting(const Tensor& input) { return !is_floating(input.type.dtype); }

  ValueId add(Program& program, const Tensor& tensor, bool known) {
    auto data = std::make_shared<Tensor>(tensor);
    contents_.resize(program.values.size() + 1);
    contents_[program.values.size()] = data;
    return program.add({"v", Role::activation, tensor.type, known ? data : nullptr});
  }

  Tensor contents(const Program& program, ValueId id) const {
    if (size_t(id.index) < contents_.size() && contents_[size_t(id.index)]) return *contents_[size_t(id.index)];
    EXPECT_NE(program.value(id).constant, nullptr) << "a value that nobody computed";
    return program.value(id).constant ? *program.value(id).constant : Tensor();
  }

  void run(const Program& program, const Operation& operation) {
    contents_.resize(program.values.size());
    std::vector<Tensor> arguments;
    for (const ValueId id : operation.inputs) arguments.push_back(id.present() ? contents(program, id) : Tensor());
    std::vector<const Tensor*> pointers;
    for (size_t i = 0; i < arguments.size(); ++i)
      pointers.push_back(operation.inputs[i].present() ? &arguments[i] : nullptr);
    const auto outputs = evaluate(*operation.op, operation.attributes, pointers, operation.outputs.size());
    ASSERT_TRUE(outputs.ok()) << operation.op_name << ": " << outputs.error().line();
    ASSERT_TRUE(outputs->has_value()) << operation.op_name << " declines its numbers";
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      EXPECT_EQ((**outputs)[i].type, *program.value(operation.outputs[i]).type) << operation.op_name;
      contents_[size_t(operation.outputs[i].index)] = std::make_shared<Tensor>((**outputs)[i]);
    }
    EXPECT_GE(operation.cost.flops.value(), 0) << operation.op_name;
  }

  const Op& op_;
  const OpExample& example_;
  const bool in_training_;
  std::vector<Tensor> inputs_, outputs_, weights_;
  std::vector<TensorPtr> contents_;
};

void compare(Probe& probe) {
  const auto gradients = probe.by_rule();
  if (!probe.trained()) return;
  ASSERT_EQ(gradients.size(), probe.inputs().size());
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!probe.moves(i)) continue;
    const bool given = !gradients[i].bytes.empty();
    if (given) {
      ASSERT_EQ(gradients[i].type, probe.inputs()[i].type) << "input " << i;
    }
    for (size_t place = 0; place < probe.inputs()[i].size(); ++place) {
      const double rule = given ? gradients[i].as<double>()[place] : 0, measured = probe.difference(i, place);
      ASSERT_NEAR(rule, measured, 2e-5 * std::max(1.0, std::abs(measured))) << "input " << i << " at " << place;
    }
  }
}

std::vector<const Op*> ops_with_gradients() {
  std::vector<const Op*> ops{&batch_norm_pieces_train()};
  for (const Op* op : all_ops()) {
    if (op->gradient && op->reference) ops.push_back(op);
    if (op->training && op->training().gradient) ops.push_back(&op->training());
  }
  return ops;
}

class EveryGradient : public testing::TestWithParam<const Op*> {};

TEST_P(EveryGradient, AgreesWithFiniteDifferences) {
  const Op& op = *GetParam();
  for (const auto& example : op.examples()) {
    bool compared = false, floating = false;
    for (const auto& input : example.inputs) floating = floating || is_floating(input.type.dtype);
    if (!floating) continue;
    for (const auto& range : kRanges) {
      SCOPED_TRACE(std::string(op.name) + ": " + example.what + ", " + range.name);
      Probe probe(op, example, range, 7);
      if (!probe.defined()) continue;
      compare(probe);
      compared = true;
    }
    // What has no gradient may also have no maths in double precision.
    EXPECT_TRUE(compared || op.gradient == no_gradient) << op.name << ": " << example.what << " is nowhere defined";
  }
}

INSTANTIATE_TEST_SUITE_P(AllOps, EveryGradient, testing::ValuesIn(ops_with_gradients()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
