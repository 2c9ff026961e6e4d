// norm-pieces and norm-slices: the two ways around a concat.
#include "model/passes/norm_pieces.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/joined_networks.h"
#include "tests/program_run.h"

namespace plimsoll {
namespace {

Program trained(const Graph& graph, bool fuse) {
  StepOptions options;
  options.optimizer = *find_optimizer("sgd");
  options.fuse = fuse;
  auto forward = bind(graph, {.batch = 3, .parameters = DType::f64, .activations = DType::f64});
  EXPECT_TRUE(forward.ok()) << forward.error().line();
  auto made = make_step(*forward, options);
  EXPECT_TRUE(made.ok()) << made.error().line();
  return *made;
}

int64_t how_many(const Program& program, std::string_view op) {
  return std::count_if(program.operations.begin(), program.operations.end(),
                       [&](const Operation& operation) { return operation.op->name == op; });
}

TEST(NormPieces, NothingIsJoinedCutOrAddedUp) {
  const Graph graph = dense_network(4, 2);
  const Program plain = trained(graph, false), fused = trained(graph, true);
  EXPECT_EQ(how_many(plain, "concat"), 3);
  EXPECT_EQ(how_many(plain, "split"), 3);
  EXPECT_GT(how_many(plain, "add"), 0);
  for (const char* gone : {"concat", "split", "add", "relu_grad"}) EXPECT_EQ(how_many(fused, gone), 0) << gone;
  EXPECT_EQ(how_many(fused, "batch_norm_pieces_train"), 3);
  EXPECT_EQ(how_many(fused, "batch_norm_pieces_grad"), 4) << "the first layer's has a sum to add to";
  const auto inference = make_step(*bind(graph, {.batch = 1}), {});
  ASSERT_TRUE(inference.ok());
  EXPECT_EQ(how_many(*inference, "concat"), 0);
  EXPECT_EQ(how_many(*inference, "batch_norm_pieces"), 3);
}

void expect_gradients_as_they_were(const Graph& graph) {
  const Program plain = trained(graph, false), fused = trained(graph, true);
  ProgramRun first(plain), second(fused);
  first.fill(1);
  second.fill(1);
  first.run();
  second.run();
  EXPECT_NEAR(first.loss(), second.loss(), 1e-12);
  std::map<std::string, ValueId> gradients;
  for (const auto& operation : plain.operations)
    if (operation.phase == Phase::update) gradients[plain.value(operation.inputs[0]).name] = operation.inputs[1];
  for (const auto& operation : fused.operations) {
    if (operation.phase != Phase::update) continue;
    const std::string name = fused.value(operation.inputs[0]).name;
    const auto x = first.get(gradients.at(name)).doubles(), y = second.get(operation.inputs[1]).doubles();
    ASSERT_EQ(x.size(), y.size());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12) << name << " at " << i;
  }
}

TEST(NormPieces, LeaveGradientsAsTheyWere) { expect_gradients_as_they_were(dense_network(4, 2)); }
// As some frameworks write a DenseNet: each layer joins what is new to what was joined before.
Graph nested_network() {
  Builder b("nested", {3, 6, 6});
  const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}, .bias = false};
  ValueId x = b.conv("stem", b.input(), 4, same);
  for (int64_t i = 1; i <= 3; ++i) {
    const auto layer = b.enter("layer" + std::to_string(i));
    x = b.concat("concat", {x, b.conv("conv", b.relu("relu", b.batch_norm("norm", x)), 2, same)});
  }
  x = b.flatten("flatten", b.global_average_pool("pool", b.batch_norm("norm", x)));
  auto graph = b.finish(b.linear("fc", x, 3));
  EXPECT_TRUE(graph.ok());
  return *graph;
}

TEST(NormPieces, NestedConcatsAreFlattened) {
  const Program plain = trained(nested_network(), false), fused = trained(nested_network(), true);
  EXPECT_EQ(how_many(plain, "concat"), 3);
  for (const char* gone : {"concat", "split", "add"}) EXPECT_EQ(how_many(fused, gone), 0) << gone;
  expect_gradients_as_they_were(nested_network());
}

// Twice as many pieces with every level, if all were named.
TEST(NormPieces, DeepNestsDoNotGrowForEver) {
  Builder b("doubled", {1, 1, 1});
  ValueId x = b.input();
  for (int i = 0; i < 30; ++i) x = b.concat("concat" + std::to_string(i), {x, x});
  const auto graph = b.finish(b.global_average_pool("pool", x));
  ASSERT_TRUE(graph.ok());
  const auto step = make_step(*bind(*graph, {.batch = 1}), {});
  ASSERT_TRUE(step.ok());
  for (const auto& operation : step->operations) EXPECT_LE(operation.inputs.size(), 128);
}

TEST(NormSlices, LeaveGradientsAsTheyWere) { expect_gradients_as_they_were(branched_network(4, 3)); }

TEST(NormSlices, NothingIsJoinedOrCut) {
  const Graph graph = branched_network(4, 3);
  const Program plain = trained(graph, false), fused = trained(graph, true);
  EXPECT_EQ(how_many(plain, "concat"), 2);
  EXPECT_EQ(how_many(plain, "split"), 2);
  for (const char* gone : {"concat", "split"}) EXPECT_EQ(how_many(fused, gone), 0) << gone;
  EXPECT_EQ(how_many(fused, "batch_norm_slice_train"), 6);
  EXPECT_EQ(how_many(fused, "batch_norm_pieces_grad"), 6);
}

TEST(NormSlices, APieceThatComesFromElsewhereKeepsTheConcat) {
  Builder b("half", {3, 4, 4});
  const ConvOptions one{.kernel = {1, 1}};
  const ValueId x = b.conv("a", b.input(), 4, one);
  const ValueId whole = b.concat("concat", {x, b.relu("relu", b.batch_norm("norm", b.conv("b", x, 2, one)))});
  const ValueId pooled = b.global_average_pool("pool", b.conv("last", whole, 4, one));
  const auto graph = b.finish(b.linear("fc", b.flatten("flatten", pooled), 3));
  ASSERT_TRUE(graph.ok());
  const Program fused = trained(*graph, true);
  EXPECT_EQ(how_many(fused, "concat"), 1);
  EXPECT_EQ(how_many(fused, "batch_norm_slice_train"), 0);
  EXPECT_EQ(how_many(fused, "split"), 1) << "of what is left, beside the norm's part";
  EXPECT_EQ(how_many(fused, "batch_norm_pieces_grad"), 1);
  expect_gradients_as_they_were(*graph);
}

TEST(NormPieces, AConcatThatOthersReadStays) {
  Builder b("read twice", {3, 4, 4});
  const ConvOptions one{.kernel = {1, 1}};
  const ValueId whole = b.concat("concat", {b.conv("a", b.input(), 4, one), b.conv("b", b.input(), 2, one)});
  const ValueId x = b.add("add", b.relu("relu", b.batch_norm("norm", whole)), whole);
  const auto graph = b.finish(b.linear("fc", b.flatten("flatten", b.global_average_pool("pool", x)), 3));
  ASSERT_TRUE(graph.ok());
  const Program fused = trained(*graph, true);
  EXPECT_EQ(how_many(fused, "concat"), 1);
  EXPECT_EQ(how_many(fused, "batch_norm_pieces_train"), 0);
}

// The sum is written over what is added to, so that the gradients of a piece take its memory once.
TEST(NormPieces, SumsAreWrittenOverWhatTheyAddTo) {
  const Program fused = trained(dense_network(4, 2), true);
  int64_t sums = 0;
  for (const auto& operation : fused.operations) {
    if (operation.op->name != "batch_norm_pieces_grad") continue;
    for (size_t k = 0; 2 + k < operation.outputs.size(); ++k) {
      const ValueId sum = operation.inputs[6 + 2 * k];
      if (!sum.present()) continue;
      ++sums;
      EXPECT_TRUE(fused.value(operation.outputs[2 + k]).storage.present()) << k;
    }
  }
  EXPECT_EQ(sums, 1 + 2 + 3);
}

}  // namespace
}  // namespace plimsoll
