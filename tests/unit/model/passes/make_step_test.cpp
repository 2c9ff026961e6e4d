// Whole training steps: their shape, their gradients by finite differences through the network, and what passes
// leave as it was.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Program step_of(const std::string& model, const std::string& optimizer, int64_t batch = 2, StepOptions options = {}) {
  options.optimizer = *find_optimizer(optimizer);
  auto step = make_step(zoo_program(model, {}, batch), options);
  EXPECT_TRUE(step.ok()) << model << ": " << step.error().line();
  return step.ok() ? *step : Program{};
}

int64_t count(const Program& program, Phase phase, const std::string& op = "") {
  int64_t found = 0;
  for (const auto& operation : program.operations)
    found += operation.phase == phase && (op.empty() || operation.op->name == op);
  return found;
}

TEST(MakeStep, EveryParameterIsUpdatedOnce) {
  const Program step = step_of("lenet5", "adam");
  int64_t tensors = 0, states = 0;
  for (const auto& value : step.values) {
    tensors += value.role == Role::parameter;
    states += value.role == Role::state;
  }
  EXPECT_GT(tensors, 0);
  EXPECT_EQ(count(step, Phase::update, "adam_update"), tensors);
  EXPECT_EQ(states, 2 * tensors);
}

// The first layer's data needs no gradient: one product less.
TEST(MakeStep, ConvolutionsCostThreeTimesForwardWithoutTheFirstDataGradient) {
  const Program step = step_of("resnet18", "momentum");
  const int64_t convolutions = count(step, Phase::forward, "conv");
  EXPECT_EQ(count(step, Phase::backward, "conv_grad_weights"), convolutions);
  EXPECT_EQ(count(step, Phase::backward, "conv_grad_data"), convolutions - 1);
}

TEST(MakeStep, PhasesFollowEachOther) {
  const Program step = step_of("googlenet", "sgd");
  for (size_t i = 1; i < step.operations.size(); ++i)
    EXPECT_LE(step.operations[i - 1].phase, step.operations[i].phase) << i;
}

TEST(MakeStep, FusesReluIntoWhatIsBeforeIt) {
  const Program fused = step_of("resnet18", "sgd");
  EXPECT_EQ(count(fused, Phase::forward, "relu"), 0);
  StepOptions plain;
  plain.fuse = false;
  EXPECT_EQ(count(step_of("resnet18", "sgd", 2, plain), Phase::forward, "relu"), 17);
}

TEST(MakeStep, ActivationsGoBackWithTheNormBeforeThem) {
  const auto with_bias = [](const Program& step) {
    return std::count_if(step.operations.begin(), step.operations.end(), [](const Operation& operation) {
      const auto& in = operation.inputs;
      return (operation.op->name == "batch_norm_grad" && in.size() == 6) ||
             (operation.op->name == "batch_norm_pieces_grad" && in[4].present());
    });
  };
  const Program googlenet = step_of("googlenet_bn", "sgd");
  EXPECT_EQ(count(googlenet, Phase::backward, "relu_grad"), 0);
  EXPECT_EQ(with_bias(googlenet), 57);
  const Program resnet = step_of("resnet18", "sgd");
  EXPECT_EQ(count(resnet, Phase::backward, "relu_grad"), 8) << "behind sums";
  EXPECT_EQ(with_bias(resnet), 9);
  const Program mobilenet = step_of("mobilenet_v2", "sgd");
  EXPECT_EQ(count(mobilenet, Phase::forward, "clip"), 0);
  EXPECT_EQ(count(mobilenet, Phase::backward, "clip_grad"), 0);
  EXPECT_EQ(with_bias(mobilenet), 35);
}

TEST(MakeStep, RecomputationAddsAtMostItsShare) {
  StepOptions options;
  options.recompute = 0.1;
  const Program plain = step_of("resnet50", "sgd", 2), again = step_of("resnet50", "sgd", 2, options);
  const auto flops = [](const Program& program) {
    Flops sum;
    for (const auto& operation : program.operations) sum += operation.cost.flops;
    return sum.value();
  };
  Flops forward;
  for (const auto& operation : plain.operations)
    if (operation.phase == Phase::forward) forward += operation.cost.flops;
  EXPECT_GT(flops(again), flops(plain));
  EXPECT_LE(double(flops(again) - flops(plain)), 0.1 * double(forward.value()));
}

TEST(MakeStep, MicroBatchesAddUpEachGradient) {
  StepOptions options;
  options.micro_batches = 4;
  const Program step = step_of("lenet5", "sgd", 2, options);
  EXPECT_EQ(step.micro_batches, 4);
  EXPECT_EQ(count(step, Phase::backward, "accumulate"), count(step, Phase::update));
}

}  // namespace
}  // namespace plimsoll
