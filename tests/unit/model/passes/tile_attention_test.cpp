#include "model/passes/tile_attention.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/attention_layer.h"
#include "tests/program_run.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

int64_t count_of(const Program& program, std::string_view name) {
  int64_t count = 0;
  for (const auto& operation : program.operations)
    if (operation.op && operation.op->name == name) ++count;
  return count;
}

TEST(TileAttention, TakesEveryAttentionOfTheZoosTransformers) {
  const std::pair<const char*, int64_t> networks[] = {
      {"gpt2", 12}, {"bert_base", 12}, {"vit_b_16", 12}, {"swin_t", 12}};
  for (const auto& [name, attentions] : networks) {
    for (const bool trains : {false, true}) {
      StepOptions options;
      if (trains) options.optimizer = *find_optimizer("sgd");
      const auto step = make_step(zoo_program(name, {}, 2), options);
      ASSERT_TRUE(step.ok()) << step.error().line();
      EXPECT_EQ(count_of(*step, "grouped_attention"), attentions) << name;
      EXPECT_EQ(count_of(*step, "grouped_attention_grad"), trains ? attentions : 0) << name;
      EXPECT_EQ(count_of(*step, "softmax"), 0) << name;
    }
  }
}

TEST(TileAttention, LeavesAStepThatIsNotFusedAlone) {
  const auto step = make_step(zoo_program("vit_b_16", {}, 1), {.fuse = false});
  EXPECT_EQ(count_of(*step, "grouped_attention"), 0);
}

// The largest value that lives for a whole backward pass no longer grows with the square of the tokens.
TEST(TileAttention, NoValueHasANumberForEachPairOfTokens) {
  const auto step = make_step(zoo_program("gpt2", {}, 1), {.optimizer = *find_optimizer("sgd")});
  const Count pairs = Count(1024) * 1024 * 12;
  for (const auto& operation : step->operations)
    for (const ValueId id : operation.outputs)
      if (id.present() && step->value(id).type->shape.rank() == 4) {
        EXPECT_LT(step->value(id).type->elements(), pairs) << step->value(id).name;
      }
}

enum class Mask { none, causal, learned, groups };

constexpr int64_t kTokens = 5, kWidth = 8, kHeads = 2;

Graph small_attention(Mask mask, double dropout) {
  const bool grouped = mask == Mask::groups;
  Builder b("attention", grouped ? Shape{2, kTokens, kWidth} : Shape{kTokens, kWidth});
  AttentionOptions options{.width = kWidth, .heads = kHeads, .dropout = dropout, .tokens = kTokens};
  if (mask == Mask::causal) {
    std::vector<float> numbers(size_t(kTokens * kTokens), 0);
    for (int64_t row = 0; row < kTokens; ++row)
      for (int64_t column = row + 1; column < kTokens; ++column)
        numbers[size_t(row * kTokens + column)] = -std::numeric_limits<float>::infinity();
    options.mask = b.constant("mask", float_tensor({kTokens, kTokens}, numbers));
  }
  if (mask == Mask::learned) options.mask = b.parameter("bias", {kHeads, kTokens, kTokens});
  if (grouped) {
    options.mask = b.parameter("bias", {2, kHeads, kTokens, kTokens});
    options.groups = 2;
  }
  const ValueId x = grouped ? b.reshape("windows", b.input(), {-1, kTokens, kWidth}) : b.input();
  const auto qkv = project_qkv(b, "qkv", x, kWidth);
  ValueId y = b.linear("out", attention(b, qkv[0], qkv[1], qkv[2], options), 3);
  if (grouped) y = b.reshape("whole", y, {-1, 2, kTokens, 3});
  auto graph = b.finish(y);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  return *graph;
}

// The same numbers with and without, forward and in every gradient: the reference maths of both, same random numbers.
void expect_same_results(Mask mask, double dropout) {
  const Graph graph = small_attention(mask, dropout);
  StepOptions plain{.optimizer = *find_optimizer("sgd"), .loss = Loss::mean_squared_error, .fuse = false},
      tiled = plain;
  tiled.fuse = true;
  const auto a = make_step(*bind(graph, {.batch = 4}), plain), b = make_step(*bind(graph, {.batch = 4}), tiled);
  ASSERT_TRUE(a.ok() && b.ok());
  ASSERT_EQ(count_of(*b, "grouped_attention"), 1);
  ProgramRun first(*a), second(*b);
  first.fill(5);
  second.fill(5);
  first.run();
  second.run();
  std::map<std::string, ValueId> gradients;
  for (const auto& operation : b->operations)
    if (operation.phase == Phase::update) gradients[operation.name] = operation.inputs[1];
  for (const auto& operation : a->operations) {
    if (operation.phase != Phase::update) continue;
    const auto expected = first.get(operation.inputs[1]).doubles(),
               found = second.get(gradients.at(operation.name)).doubles();
    ASSERT_EQ(found.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k)
      ASSERT_NEAR(found[k], expected[k], 1e-5) << operation.name << " at " << k;
  }
}

TEST(TileAttention, StepsAreTheSame) {
  for (const Mask mask : {Mask::none, Mask::causal, Mask::learned, Mask::groups})
    for (const double dropout : {0.0, 0.3}) {
      SCOPED_TRACE(testing::Message() << "mask " << int(mask) << ", dropout " << dropout);
      expect_same_results(mask, dropout);
    }
}

}  // namespace
}  // namespace plimsoll
