#include "run/train/trust_ratios.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/program_lookup.h"
#include "model/optim/presets.h"
#include "model/passes/pipeline.h"
#include "run/exec/onednn/onednn_backend.h"
#include "run/exec/reference/reference_backend.h"
#include "run/train/initialise.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

std::unique_ptr<Executor> computed_step(const std::string& optimizer, const Backend& backend = onednn_backend()) {
  const auto chosen = choose_optimizer(optimizer);
  StepOptions options;
  options.optimizer = chosen->optimizer;
  options.optimizer_settings = chosen->settings;
  auto step = *make_executor(backend, *make_step(zoo_program("lenet5", {}, 4), options), 1);
  initialise(*step, 1);
  std::vector<float> images(4 * 28 * 28);
  for (size_t i = 0; i < images.size(); ++i) images[i] = float(i * 37 % 101) / 101;
  const std::vector<int64_t> labels{3, 1, 4, 1};
  const float rate = 0.1F;
  const int64_t number = 1;
  step->write(step->program().inputs.at(0), std::as_bytes(std::span(images)));
  step->write(input_named(step->program(), "targets"), std::as_bytes(std::span(labels)));
  step->write(input_named(step->program(), "learning_rate"), std::as_bytes(std::span(&rate, 1)));
  step->write(input_named(step->program(), "step"), std::as_bytes(std::span(&number, 1)));
  step->compute();
  return step;
}

double length(const Executor& step, ValueId id) {
  std::vector<float> numbers(size_t(step.program().value(id).type->elements().value()));
  step.read(id, std::as_writable_bytes(std::span(numbers)));
  double sum = 0;
  for (const float number : numbers) sum += double(number) * double(number);
  return std::sqrt(sum);
}

TEST(TrustRatios, OfLarsFollowFromTheLengthsOfWeightAndGradient) {
  const auto step = computed_step("lars"), plain = computed_step("lars", reference_backend());
  EXPECT_TRUE(trust_ratios(*step).empty()) << "before the first update";
  std::vector<TrustRatio> expected;
  for (const auto& operation : plain->program().operations) {
    if (operation.op_name != "lars_update") continue;
    const double weight = length(*plain, operation.inputs[0]), gradient = length(*plain, operation.inputs[1]);
    expected.push_back(
        {plain->program().value(operation.inputs[0]).name, weight > 0 && gradient > 0 ? 0.001 * weight / gradient : 1});
  }
  step->update();
  const auto found = trust_ratios(*step);
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_EQ(found.size(), 10u);  // five layers, each with a weight and a bias
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].parameter, expected[i].parameter);
    EXPECT_NEAR(found[i].ratio, expected[i].ratio, 1e-4 * expected[i].ratio) << found[i].parameter;
  }
}

TEST(TrustRatios, OnlyWhatIsAdaptedHasThem) {
  const auto ratios_of = [](const std::string& optimizer) {
    const auto step = computed_step(optimizer);
    step->update();
    return trust_ratios(*step);
  };
  EXPECT_TRUE(ratios_of("momentum").empty());
  EXPECT_EQ(ratios_of("lamb:paper").size(), 10u);
  const auto weights = ratios_of("lamb:nvidia");
  EXPECT_EQ(weights.size(), 5u);
  for (const auto& one : weights) EXPECT_TRUE(one.parameter.ends_with(".weight")) << one.parameter;
}

TEST(TrustRatios, TheSpreadNamesItsLayers) {
  EXPECT_FALSE(spread_of({}));
  const auto one = spread_of({{"a", 2}});
  EXPECT_EQ(one->least.parameter + one->median.parameter + one->largest.parameter, "aaa");
  const auto spread = spread_of({{"a", 3}, {"b", 1}, {"c", 4}, {"d", 2}});
  EXPECT_EQ(spread->least.parameter, "b");
  EXPECT_EQ(spread->median.parameter, "d");
  EXPECT_EQ(spread->largest.parameter, "c");
  EXPECT_EQ(spread->largest.ratio, 4);
}

}  // namespace
}  // namespace plimsoll
