// Every optimizer of all_optimizers: its update operation costs what the optimizer says, keeps the states that it
// names in their own memory, and is what add_updates appends for every parameter.
#include <gtest/gtest.h>

#include "model/ir/evaluate.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/add_updates.h"

namespace plimsoll {
namespace {

class EveryOptimizer : public testing::TestWithParam<const Optimizer*> {};

OpCall call_of(const OpExample& example, const Attributes& attributes) {
  std::vector<const TensorType*> types;
  for (const auto& input : example.inputs) types.push_back(&input.type);
  return OpCall(attributes, types, {}, example.outputs);
}

TEST_P(EveryOptimizer, CostsWhatItSays) {
  const Op& update = GetParam()->update();
  EXPECT_EQ(update.name, std::string(GetParam()->name) + "_update");
  for (const auto& example : update.examples()) {
    OpCall call = call_of(example, example.attributes);
    auto outputs = infer(update, call);
    ASSERT_TRUE(outputs.ok()) << outputs.error().line();
    EXPECT_EQ(outputs->size(), 1 + GetParam()->state.size());
    call.outputs = *outputs;
    EXPECT_EQ(update.cost(call).flops, as<Flops>(call.type(0).elements() * GetParam()->flops_per_parameter));
  }
}

TEST_P(EveryOptimizer, NewNumbersTakeThePlaceOfTheOld) {
  const Op& update = GetParam()->update();
  ASSERT_EQ(update.updates.size(), 1 + GetParam()->state.size());
  for (size_t i = 0; i < update.updates.size(); ++i) {
    EXPECT_EQ(update.updates[i].output, i);
    EXPECT_EQ(update.updates[i].input, i == 0 ? 0 : i + 1);
  }
}

TEST_P(EveryOptimizer, StandsStillWithoutALearningRate) {
  const size_t states = GetParam()->state.size();
  const Tensor parameter = float_tensor({2, 2}, {1, -2, 0.5, 4}), gradient = float_tensor({2, 2}, {3, 1, 0, -1});
  const Tensor zeros(parameter.type), rate = float_tensor({}, {0}), step = integer_scalar(1);
  std::vector<const Tensor*> inputs{&parameter, &gradient};
  inputs.resize(2 + states, &zeros);
  inputs.insert(inputs.end(), {&rate, &step});
  const auto outputs = evaluate(GetParam()->update(), {}, inputs, 1 + states);
  ASSERT_TRUE(outputs.ok() && outputs->has_value());
  EXPECT_EQ((**outputs)[0].bytes, parameter.bytes);
}

// `takes_momentum` says whether the setting makes a difference.
TEST_P(EveryOptimizer, ReadsMomentumIfItSaysSo) {
  const size_t states = GetParam()->state.size();
  const Tensor parameter = float_tensor({2}, {1, -2}), gradient = float_tensor({2}, {3, 1});
  const Tensor state = float_tensor({2}, {0.5, 0.25}), rate = float_tensor({}, {0.1}), step = integer_scalar(2);
  std::vector<const Tensor*> inputs{&parameter, &gradient};
  inputs.resize(2 + states, &state);
  inputs.insert(inputs.end(), {&rate, &step});
  const auto with = [&](double momentum) {
    return (**evaluate(GetParam()->update(), {{"momentum", momentum}}, inputs, 1 + states))[0].bytes;
  };
  EXPECT_EQ(with(0.1) != with(0.9), GetParam()->takes_momentum);
  EXPECT_GT(GetParam()->usual_rate, 0);
}

TEST_P(EveryOptimizer, RefusesAGradientOfAnotherShape) {
  OpExample example = GetParam()->update().examples()[0];
  example.inputs[1].type.shape = {4, 3};
  EXPECT_FALSE(infer(GetParam()->update(), call_of(example, {})).ok());
}

TEST_P(EveryOptimizer, IsAppendedForEveryParameter) {
  Program program;
  std::vector<ParameterGradient> gradients;
  for (const char* name : {"conv.weight", "conv.bias"}) {
    const TensorType type{DType::f32, {3, int64_t(gradients.size()) + 1}};
    gradients.push_back({program.add({name, Role::parameter, type, nullptr}),
                         program.add({name, Role::gradient, TensorType{DType::f16, type.shape}, nullptr})});
  }
  ASSERT_TRUE(add_updates(program, gradients, *GetParam()).ok());
  ASSERT_EQ(program.operations.size(), 2u);
  ASSERT_EQ(program.inputs.size(), 2u);
  EXPECT_EQ(program.value(program.inputs[0]).name, "learning_rate");
  EXPECT_EQ(program.value(program.inputs[1]).name, "step");
  for (size_t k = 0; k < 2; ++k) {
    const Operation& operation = program.operations[k];
    EXPECT_EQ(operation.phase, Phase::update);
    EXPECT_GT(operation.cost.flops.value(), 0);
    EXPECT_EQ(program.value(operation.outputs[0]).storage, gradients[k].parameter);
    for (size_t i = 0; i < GetParam()->state.size(); ++i) {
      const ProgramValue& state = program.value(operation.inputs[2 + i]);
      EXPECT_EQ(state.role, Role::state);
      EXPECT_EQ(state.name, program.value(gradients[k].parameter).name + "." + std::string(GetParam()->state[i]));
      EXPECT_EQ(state.type->dtype, DType::f32);
      EXPECT_EQ(program.value(operation.outputs[1 + i]).storage, operation.inputs[2 + i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllOptimizers, EveryOptimizer,
                         testing::ValuesIn(all_optimizers().begin(), all_optimizers().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
