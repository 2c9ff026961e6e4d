// Passes on graphs that are long or wide: as many operations as the network has edges, no recursion, the same numbers.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

StepOptions training() {
  StepOptions options;
  options.optimizer = *find_optimizer("sgd");
  return options;
}

Program step_of(const SmallGraph& net, const StepOptions& options) {
  const auto forward = bind(net.graph, {.batch = 2});
  EXPECT_TRUE(forward.ok()) << forward.error().line();
  auto step = make_step(*forward, options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return std::move(*step);
}

ValueId product(SmallGraph& net) {
  return net.node("v", "matmul", {net.input("x", {Dim(std::string("N")), 3}), net.parameter("w", {3, 3})});
}

Tensor gradient(const Program& step) {
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::update) continue;
    ProgramRun run(step);
    run.fill(1);
    run.run();
    return run.get(operation.inputs[1]);
  }
  ADD_FAILURE() << "nothing is updated";
  return {};
}

// v is read by 300 products with constants, whose sum is one product with the sum of the constants.
TEST(LargeGraphs, TheGradientsOfManyReadersAreAddedUpTogether) {
  constexpr int kReaders = 300;
  SmallGraph wide, narrow;
  const ValueId v = product(wide);
  std::vector<ValueId> read;
  float sum = 0;
  for (int i = 0; i < kReaders; ++i) {
    const float factor = float(i % 7) / 64;
    sum += factor;
    read.push_back(wide.node("m" + std::to_string(i), "mul",
                             {v, wide.constant("c" + std::to_string(i), float_tensor({}, {factor}))}));
  }
  wide.finish({wide.node("y", "sum", read)});
  narrow.finish({narrow.node("y", "mul", {product(narrow), narrow.constant("c", float_tensor({}, {sum}))})});
  const Program step = step_of(wide, training());
  const auto sums = std::count_if(step.operations.begin(), step.operations.end(), [](const Operation& operation) {
    return operation.phase == Phase::backward && (operation.op_name == "sum" || operation.op_name == "add");
  });
  EXPECT_LE(sums, kReaders / 32);
  const auto all = gradient(step).doubles(), one = gradient(step_of(narrow, training())).doubles();
  ASSERT_EQ(all.size(), one.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], one[i], 1e-4) << i;
}

// The largest of 40 values, of which the last is: nothing reads all the others once for each of them.
TEST(LargeGraphs, TheGradientOfALargestOfManyIsOneOperation) {
  constexpr int kInputs = 40;
  SmallGraph wide, narrow;
  const ValueId v = product(wide);
  std::vector<ValueId> read;
  for (int i = 0; i < kInputs; ++i)
    read.push_back(wide.node("a" + std::to_string(i), "add",
                             {v, wide.constant("c" + std::to_string(i), float_tensor({}, {float(i % kInputs)}))}));
  wide.finish({wide.node("y", "max", read)});
  narrow.finish({narrow.node("y", "add", {product(narrow), narrow.constant("c", float_tensor({}, {kInputs - 1}))})});
  const Program step = step_of(wide, training());
  size_t reads = 0;
  for (const auto& operation : step.operations) reads += operation.inputs.size();
  EXPECT_LT(reads, size_t(10 * kInputs));
  const auto all = gradient(step).doubles(), one = gradient(step_of(narrow, training())).doubles();
  ASSERT_EQ(all.size(), one.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], one[i], 1e-6) << i;
}

// Only the ends of the chain are kept, so that bringing one value back runs all of it again.
TEST(LargeGraphs, ALongChainIsRecomputedWithoutRecursion) {
  constexpr int kLength = 200'000;
  SmallGraph net;
  ValueId last = product(net);
  for (int i = 0; i < kLength; ++i) last = net.node("n" + std::to_string(i), "neg", {last});
  const ValueId again = net.parameter("w2", {3, 3});
  net.finish({net.node("y", "matmul", {net.node("s", "sigmoid", {last}), again})});
  StepOptions options = training();
  options.recompute = 1;
  const Program step = step_of(net, options);
  EXPECT_GT(step.operations.size(), size_t(2 * kLength));
}

}  // namespace
}  // namespace plimsoll
