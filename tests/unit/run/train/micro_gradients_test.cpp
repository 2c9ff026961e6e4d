// Gradients of micro-batches: their lengths, and the noise scale by them, on the engine itself.
#include "run/train/micro_gradients.h"

#include <gtest/gtest.h>

#include <random>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/ir/program_lookup.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/onednn/onednn_backend.h"
#include "run/exec/reference/reference_backend.h"
#include "run/exec/step_results.h"
#include "run/train/gradient_noise.h"
#include "run/train/initialise.h"

namespace plimsoll {
namespace {

constexpr int64_t kPart = 8, kParts = 4, kInputs = 16;

// Linear regression: one score of 16 numbers, the squared error.
std::unique_ptr<Executor> regression_step(const Backend& backend, int64_t micro_batches) {
  Builder b("regression", {kInputs});
  auto graph = b.finish(b.linear("fc", b.input(), 1));
  EXPECT_TRUE(graph.ok());
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  options.loss = Loss::mean_squared_error;
  options.micro_batches = micro_batches;
  const auto step = make_step(*bind(*graph, {.batch = kPart}), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  auto executor = *make_executor(backend, *step, 1);
  initialise(*executor, 3);
  return executor;
}

void write_floats(Executor& step, ValueId id, const std::vector<float>& numbers) {
  step.write(id, std::as_bytes(std::span(numbers)));
}

// Inputs from N(0, I), targets from N(0, σ²).
class Samples {
 public:
  explicit Samples(double error) : error_(error) {}
  void next(Executor& step) {
    std::vector<float> inputs(kPart * kInputs), targets(kPart);
    for (float& number : inputs) number = float(normal_(random_));
    for (float& number : targets) number = float(error_ * normal_(random_));
    write_floats(step, step.program().inputs.at(0), inputs);
    write_floats(step, input_named(step.program(), "targets"), targets);
  }

 private:
  double error_;
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
};

double gradient_square(const Executor& step, std::vector<double>& sum) {
  double square = 0;
  size_t at = 0;
  for (const auto& result : step_results(step.program(), step.plan())) {
    std::vector<float> numbers(size_t(step.program().value(result.value).type->elements().value()));
    step.read(result.value, std::as_writable_bytes(std::span(numbers)));
    for (const float number : numbers) {
      square += double(number) * double(number);
      sum.at(at++) += double(number) / double(kParts);
    }
  }
  return square;
}

TEST(MicroGradients, LengthsAreThoseOfTheGradientsByThemselves) {
  for (const Backend* backend : {&reference_backend(), &onednn_backend()}) {
    const auto whole = regression_step(*backend, 1), parts = regression_step(*backend, kParts);
    Samples one(0.5), same(0.5);
    MicroGradients micro(*parts);
    for (int step = 0; step < 3; ++step) {
      double own = 0, mean = 0;
      std::vector<double> sum(kInputs + 1);
      for (int64_t part = 0; part < kParts; ++part) {
        one.next(*whole);
        whole->compute();
        own += gradient_square(*whole, sum) / double(kParts);
        same.next(*parts);
        micro.compute();
      }
      for (const double number : sum) mean += number * number;
      EXPECT_NEAR(micro.take_own_square(), own, 1e-5 * own) << backend->name();
      EXPECT_NEAR(micro.mean_square(), mean, 1e-5 * mean) << backend->name();
      parts->drop_sums();
    }
  }
}

// At w = 0 and a bias β a sample's gradient is 2(β - ε)(x, 1): so |G|² = 4β², and the noise 4n(β² + σ²) + 4σ².
TEST(MicroGradients, NoiseScaleWithinFivePercentOfAKnownAnswer) {
  constexpr double kBias = 0.5, kError = 0.5;
  constexpr double kAnswer = (kInputs * (kBias * kBias + kError * kError) + kError * kError) / (kBias * kBias);
  const auto step = regression_step(onednn_backend(), kParts);
  for (size_t i = 0; i < step->program().values.size(); ++i) {
    const ProgramValue& value = step->program().values[i];
    if (value.role != Role::parameter || value.storage.present()) continue;
    const auto count = size_t(value.type->elements().value());
    write_floats(*step, {int32_t(i)}, std::vector(count, count == 1 ? float(kBias) : 0.0F));
  }
  Samples samples(kError);
  MicroGradients micro(*step);
  GradientNoise noise(1500);
  for (int i = 0; i < 2000; ++i) {
    for (int64_t part = 0; part < kParts; ++part) {
      samples.next(*step);
      micro.compute();
    }
    noise.add(micro.take_own_square(), kPart, micro.mean_square(), kPart * kParts);
    step->drop_sums();
  }
  const auto scale = noise.scale();
  ASSERT_TRUE(scale);
  EXPECT_NEAR(kAnswer, 33, 1e-9);
  EXPECT_NEAR(scale->samples, kAnswer, 0.05 * kAnswer);
  EXPECT_NEAR(scale->average, kAnswer, 0.1 * kAnswer);
  EXPECT_LT(scale->low, scale->samples);
  EXPECT_GT(scale->high, scale->samples);
  EXPECT_LT(scale->high, 1.1 * kAnswer);
}

}  // namespace
}  // namespace plimsoll
