// Presets of LARS and LAMB: which parameters they leave out, and what these then do.
#include "model/optim/presets.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/ir/evaluate.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

// Three steps of a vector of three numbers, all gradients alike; the numbers after them.
std::vector<double> three_steps(const Optimizer& optimizer, const Attributes& settings, double rate) {
  const auto tensor = [](std::initializer_list<double> numbers) {
    Tensor made(TensorType{DType::f64, {int64_t(numbers.size())}});
    std::copy(numbers.begin(), numbers.end(), &made.as<double>()[0]);
    return made;
  };
  std::vector<Tensor> kept{tensor({1, -2, 3})};
  while (kept.size() < 1 + optimizer.state.size()) kept.push_back(tensor({0, 0, 0}));
  const Tensor gradient = tensor({0.5, 0.25, -1}), learning_rate = float_tensor({}, {float(rate)});
  for (int64_t step = 1; step <= 3; ++step) {
    const Tensor number = integer_scalar(step);
    std::vector<const Tensor*> inputs{&kept[0], &gradient};
    for (size_t i = 1; i < kept.size(); ++i) inputs.push_back(&kept[i]);
    inputs.push_back(&learning_rate);
    inputs.push_back(&number);
    auto outputs = evaluate(optimizer.update(), settings, inputs, kept.size());
    EXPECT_TRUE(outputs.ok() && outputs->has_value());
    kept = **outputs;
  }
  return {&kept[0].as<double>()[0], &kept[0].as<double>()[0] + 3};
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-7 * std::abs(expected[i])) << i;
}

TEST(OptimizerPresets, EachNamesAnOptimizer) {
  for (const auto& preset : all_optimizer_presets()) {
    const auto chosen = choose_optimizer(preset.name);
    ASSERT_TRUE(chosen.ok()) << preset.name;
    EXPECT_EQ(chosen->optimizer->name, preset.optimizer);
    EXPECT_FALSE(preset.summary.empty());
    EXPECT_NE(preset_names().find(preset.name), std::string::npos);
  }
  EXPECT_EQ(choose_optimizer("adam")->optimizer->name, "adam");
  EXPECT_NE(choose_optimizer("lamb:apple").error().line().find("known: lamb:paper, lamb:tfa, lamb:nvidia"),
            std::string::npos);
  EXPECT_NE(choose_optimizer("adam:tfa").error().line().find("adam has none"), std::string::npos);
  EXPECT_FALSE(choose_optimizer("lam:tfa").ok());
}

TEST(OptimizerPresets, WhatIsExcludedIsNeitherDecayedNorAdapted) {
  const Attributes nvidia = choose_optimizer("lamb:nvidia")->settings;
  const Attributes bias = settings_for({DType::f32, {64}}, nvidia),
                   weights = settings_for({DType::f32, {64, 3}}, nvidia);
  EXPECT_EQ(bias.number("weight_decay", 0.01), 0);
  EXPECT_EQ(bias.integer("adapt", 1), 0);
  EXPECT_FALSE(weights.has("weight_decay"));
  EXPECT_EQ(weights.integer("adapt", 1), 1);
  EXPECT_FALSE(weights.has("exclude_vectors"));
  EXPECT_EQ(settings_for({DType::f32, {64}}, choose_optimizer("lamb:tfa")->settings).integer("adapt", 1), 1);
}

// Without adaptation and decay LAMB is Adam with its own epsilon, and LARS is momentum.
TEST(OptimizerPresets, ExcludedParametersFollowAdamAndMomentum) {
  const Attributes excluded{{"adapt", int64_t{0}}, {"weight_decay", 0.0}};
  expect_same(three_steps(**find_optimizer("lamb"), excluded, 0.1),
              three_steps(**find_optimizer("adam"), {{"epsilon", 1e-6}}, 0.1));
  expect_same(three_steps(**find_optimizer("lars"), excluded, 0.1), three_steps(**find_optimizer("momentum"), {}, 0.1));
}

TEST(OptimizerPresets, AStepHasThemParameterByParameter) {
  const Graph graph = *build_model("resnet18", {});
  const OptimizerChoice chosen = *choose_optimizer("lars:exclude");
  StepOptions options;
  options.optimizer = chosen.optimizer;
  options.optimizer_settings = chosen.settings;
  const Program step = *make_step(*bind(graph, {.batch = 1}), options);
  int excluded = 0, adapted = 0;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::update) continue;
    const bool vector = step.value(operation.inputs[0]).type->shape.rank() <= 1;
    EXPECT_EQ(operation.attributes.integer("adapt", 1), vector ? 0 : 1) << operation.name;
    ++(vector ? excluded : adapted);
  }
  EXPECT_EQ(adapted, 21);   // 20 convolutions and the last layer
  EXPECT_EQ(excluded, 41);  // two of each of the 20 norms, and the last layer's bias
}

}  // namespace
}  // namespace plimsoll
