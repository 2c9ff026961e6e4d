#include "plan/time/timed_program.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

struct Pair {
  Program program;
  TimedProgram demands;
};

Pair pair_of(const std::string& network, int64_t batch, bool trains) {
  const auto graph = build_model(network, {});
  auto program = bind(*graph, {.batch = batch});
  StepOptions options{.fuse = false};
  if (trains) options.optimizer = *find_optimizer("sgd");
  auto step = make_step(std::move(*program), options);
  EXPECT_TRUE(step.ok());
  TimedProgram demands = timed(*step);
  return {std::move(*step), std::move(demands)};
}

TEST(TimedProgram, ConvolutionsAreTheProductsTheyAmountTo) {
  const auto [program, demands] = pair_of("resnet50", 4, true);
  int checked = 0;
  for (size_t i = 0; i < demands.operations.size(); ++i) {
    const auto& operation = demands.operations[i];
    if (operation.work != Work::convolution && operation.work != Work::grad_weights) continue;
    const auto& product = operation.product;
    const double macs = product.groups * product.rows * product.columns * product.depth;
    EXPECT_EQ(macs, double(program.operations[i].cost.macs.value())) << program.operations[i].name;
    ++checked;
  }
  EXPECT_EQ(checked, 2 * 53);
}

TEST(TimedProgram, TransformsAreForSmallSquareKernelsOfStrideOne) {
  const auto [program, demands] = pair_of("resnet50", 1, false);
  for (size_t i = 0; i < demands.operations.size(); ++i) {
    if (demands.operations[i].work != Work::convolution) continue;
    const auto strides = program.operations[i].attributes.integers("strides");
    const bool small = demands.operations[i].product.taps == 9 && (strides.empty() || strides[0] == 1);
    EXPECT_EQ(demands.operations[i].product.transforms, small) << program.operations[i].name;
  }
}

TEST(TimedProgram, DepthwiseConvolutionsHaveOneChannelAGroup) {
  const auto [program, demands] = pair_of("mobilenet_v2", 1, false);
  int depthwise = 0;
  for (const auto& operation : demands.operations)
    if (operation.work == Work::convolution && operation.product.groups > 1) {
      EXPECT_EQ(operation.product.channels, 1);
      ++depthwise;
    }
  EXPECT_EQ(depthwise, 17);
}

TEST(TimedProgram, ViewsAskForNothing) {
  const auto [program, demands] = pair_of("vgg16", 1, false);
  for (size_t i = 0; i < demands.operations.size(); ++i)
    if (program.operations[i].op_name == "flatten" || program.operations[i].op_name == "dropout") {
      EXPECT_EQ(demands.operations[i].work, Work::nothing);
    }
  EXPECT_FALSE(demands.trains);
}

TEST(TimedProgram, KnowsTheFirstLayerAndTheParameters) {
  const auto [program, demands] = pair_of("resnet18", 1, true);
  int first = 0;
  for (const auto& operation : demands.operations)
    first += operation.work == Work::grad_weights && operation.reads_input;
  EXPECT_EQ(first, 1);
  EXPECT_TRUE(demands.trains);
  EXPECT_EQ(demands.parameters, 11689512);
  EXPECT_EQ(demands.parameter_bytes, 4 * 11689512);
}

// The op says what kind of work it is: names do not tell that plane_max_grad is a pool's and that
// binary_cross_entropy is a loss.
TEST(TimedProgram, PoolsAndLossesCountAsSuchByWhateverName) {
  Builder b("net", Shape{4, 8, 8});
  const ValueId pooled = b.apply("pool", "global_max_pool", {b.input()});
  const ValueId scores = b.linear("last", b.flatten("flat", pooled), 1);
  const Graph graph = *b.finish(b.apply("chance", "sigmoid", {scores}));
  auto step = make_step(*bind(graph, {.batch = 2}), {.optimizer = *find_optimizer("sgd"), .fuse = false});
  ASSERT_TRUE(step.ok()) << step.error().line();
  const TimedProgram demands = timed(*step);
  int losses = 0, pools = 0;
  for (size_t i = 0; i < demands.operations.size(); ++i) {
    const Operation& operation = step->operations[i];
    if (operation.op_name.starts_with("binary_cross_entropy")) {
      EXPECT_EQ(demands.operations[i].work, Work::reduce) << operation.op_name;
      ++losses;
    }
    if (operation.op->kind == OpKind::pool) {
      EXPECT_EQ(demands.operations[i].work, Work::pool) << operation.op_name;
      ++pools;
    }
  }
  EXPECT_EQ(losses, 2);
  EXPECT_EQ(pools, 1);  // nothing flows back to the samples
}

TEST(TimedProgram, ThePlaceOfAMaximumIsPooledBackTo) {
  Builder b("net", Shape{3, 8, 8});
  const ValueId x = b.conv("conv", b.input(), 4, {.kernel = {3, 3}});
  const Graph graph = *b.finish(b.linear("last", b.flatten("flat", b.apply("pool", "global_max_pool", {x})), 3));
  const auto step = make_step(*bind(graph, {.batch = 2}), {.optimizer = *find_optimizer("sgd"), .fuse = false});
  ASSERT_TRUE(step.ok()) << step.error().line();
  const TimedProgram demands = timed(*step);
  int found = 0;
  for (size_t i = 0; i < demands.operations.size(); ++i)
    if (step->operations[i].op_name == "plane_max_grad") {
      EXPECT_EQ(demands.operations[i].work, Work::pool);
      ++found;
    }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace plimsoll
