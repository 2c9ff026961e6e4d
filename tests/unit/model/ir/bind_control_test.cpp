// bind of If, Loop and Scan: what is taken, how often it counts, and how sure that is.
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

const Dim kBatch{std::string("N")};

// x → x · w with w of its own: 3 → `outputs`.
std::shared_ptr<const Graph> product(const std::string& name, int64_t outputs) {
  SmallGraph body;
  const auto x = body.input("in", {kBatch, 3});
  return body.finish({body.node(name, "gemm", {x, body.parameter(name + ".w", {3, outputs})})});
}

Attributes branches() { return {{"then_branch", product("small", 2)}, {"else_branch", product("large", 5)}}; }

int64_t stored_parameters(const Program& program) {
  int64_t total = 0;
  for (const auto& value : program.values)
    if (value.role == Role::parameter) total += value.type->elements().value();
  return total;
}

TEST(BindIf, AConditionThatIsKnownTakesItsBranch) {
  for (const bool condition : {true, false}) {
    SmallGraph net;
    const auto x = net.input("x", {kBatch, 3});
    const auto y = net.node("y", "if", {net.boolean("c", condition), x}, branches());
    net.finish({net.node("after", "relu", {y})});
    const auto program = bind(net.graph, {});
    ASSERT_TRUE(program.ok()) << program.error().line();
    ASSERT_EQ(program->operations.size(), 2U);
    EXPECT_EQ(program->operations[0].name, condition ? "small" : "large");
    EXPECT_EQ(program->operations[0].certainty, Certainty::exact);
    EXPECT_EQ(value_named(*program, "after")->type->shape, (Shape{1, condition ? 2 : 5}));
    EXPECT_EQ(stored_parameters(*program), condition ? 6 : 15);
  }
}

TEST(BindIf, AConditionThatIsNotKnownTakesTheCostlierBranchAsTheMost) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  const auto y = net.node("y", "if", {net.input("c", {}, DType::boolean), x}, branches());
  net.finish({net.node("after", "relu", {y})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  ASSERT_EQ(program->operations.size(), 2U);
  EXPECT_EQ(program->operations[0].name, "large");
  EXPECT_EQ(program->operations[0].certainty, Certainty::at_most);
  EXPECT_EQ(program->operations[1].certainty, Certainty::at_most);
  EXPECT_EQ(stored_parameters(*program), 6 + 15) << "both branches are stored";
}

TEST(BindIf, WhatABranchCapturesIsNotCountedAgain) {
  SmallGraph body;
  const auto in = body.input("in", {kBatch, 3});
  const auto w = body.input("w", {3, 4});
  const auto graph = body.finish({body.node("product", "gemm", {in, w})});
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  const auto weights = net.parameter("weights", {3, 4});
  net.finish(
      {net.node("y", "if", {net.boolean("c", true), x, weights}, {{"then_branch", graph}, {"else_branch", graph}})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(stored_parameters(*program), 12);
}

TEST(BindIf, AConstantOfOneBranchIsNotAConstantOfTheNetwork) {
  SmallGraph five, six;
  five.finish({five.constant("five", integer_tensor({5}))});
  six.finish({six.constant("six", integer_tensor({6}))});
  SmallGraph net;
  const auto y = net.node("y", "if", {net.input("c", {}, DType::boolean)},
                          {{"then_branch", std::make_shared<const Graph>(five.graph)},
                           {"else_branch", std::make_shared<const Graph>(six.graph)}});
  net.finish({net.node("zeros", "constant_of_shape", {y})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(operation_named(*program, "zeros")->certainty, Certainty::unknown);
}

// A body that multiplies what it carries by 3 × 3 weights: 18 operations a round.
std::shared_ptr<const Graph> loop_body(bool collects) {
  SmallGraph body;
  body.input("i", {}, DType::i64);
  const auto condition = body.input("go", {}, DType::boolean);
  const auto state = body.input("state", {1, 3});
  const auto w = body.input("w", {3, 3});
  const auto next = body.node("step", "gemm", {state, w});
  const auto keep = body.node("keep", "identity", {condition});
  std::vector<ValueId> outputs{keep, next};
  if (collects) outputs.push_back(next);
  return body.finish(outputs);
}

struct LoopNet {
  SmallGraph net;
  ValueId state, w;

  LoopNet() : state(net.input("x", {1, 3})), w(net.parameter("w", {3, 3})) {}

  Result<Program> run(ValueId rounds, ValueId condition, size_t outputs = 1) {
    net.node("last", "loop", {rounds, condition, state, w},
             {{"body", loop_body(outputs == 2)}, {"captures", int64_t{1}}});
    if (outputs == 2) {
      net.graph.nodes.back().outputs.push_back(
          net.graph.add({"all", Role::activation, DType::f32, std::nullopt, nullptr}));
    }
    net.finish(net.graph.nodes.back().outputs);
    return bind(net.graph, {});
  }
};

TEST(BindLoop, KnownRoundsMultiply) {
  LoopNet loop;
  const auto program = loop.run(loop.net.constant("n", integer_scalar(4)), ValueId{}, 2);
  ASSERT_TRUE(program.ok()) << program.error().line();
  const Operation* step = operation_named(*program, "step");
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->cost.flops.value(), 18);
  EXPECT_EQ(step->repeat.value(), 4);
  EXPECT_EQ(step->certainty, Certainty::exact) << "the condition stays true";
  EXPECT_EQ(value_named(*program, "last")->type->shape, (Shape{1, 3}));
  EXPECT_EQ(value_named(*program, "all")->type->shape, (Shape{4, 1, 3}));
  EXPECT_EQ(stored_parameters(*program), 9);
}

TEST(BindLoop, AConditionThatIsNotKnownMakesTheRoundsTheMost) {
  LoopNet loop;
  const auto rounds = loop.net.constant("n", integer_scalar(4));
  const auto program = loop.run(rounds, loop.net.input("go", {}, DType::boolean));
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(operation_named(*program, "step")->certainty, Certainty::at_most);
}

TEST(BindLoop, RoundsThatAreNotKnownOrAbsurdHaveNoBound) {
  for (const int64_t rounds : {int64_t{-1}, int64_t{1} << 40, std::numeric_limits<int64_t>::max()}) {
    LoopNet loop;
    const auto limit =
        rounds < 0 ? loop.net.input("n", {}, DType::i64) : loop.net.constant("n", integer_scalar(rounds));
    const auto program = loop.run(limit, loop.net.boolean("go", true), 2);
    ASSERT_TRUE(program.ok()) << program.error().line();
    EXPECT_EQ(operation_named(*program, "step")->certainty, Certainty::unbounded);
    EXPECT_EQ(operation_named(*program, "step")->repeat.value(), 1);
    EXPECT_FALSE(value_named(*program, "all")->type);
  }
}

TEST(BindLoop, NegativeRoundsAndAFalseConditionAreNone) {
  LoopNet backwards;
  auto program = backwards.run(backwards.net.constant("n", integer_scalar(-3)), ValueId{});
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(operation_named(*program, "step")->repeat.value(), 0);
  LoopNet never;
  program = never.run(never.net.constant("n", integer_scalar(4)), never.net.boolean("go", false));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(operation_named(*program, "step")->repeat.value(), 0);
}

TEST(BindLoop, LoopsInLoopsThatOverflowAreRefused) {
  std::shared_ptr<const Graph> body = loop_body(false);
  for (int depth = 0; depth < 3; ++depth) {
    SmallGraph outer;
    outer.input("i", {}, DType::i64);
    const auto go = outer.input("go", {}, DType::boolean);
    const auto state = outer.input("state", {1, 3});
    const auto w = outer.input("w", {3, 3});
    const auto rounds = outer.constant("n", integer_scalar(int64_t{1} << 30));
    const auto next =
        outer.node("inner", "loop", {rounds, ValueId{}, state, w}, {{"body", body}, {"captures", int64_t{1}}});
    body = outer.finish({outer.node("keep", "identity", {go}), next});
  }
  SmallGraph net;
  const auto x = net.input("x", {1, 3});
  net.finish({net.node("y", "loop", {net.constant("n", integer_scalar(2)), ValueId{}, x, net.parameter("w", {3, 3})},
                       {{"body", body}, {"captures", int64_t{1}}})});
  const auto program = bind(net.graph, {});
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("overflow"), std::string::npos) << program.error().line();
}

TEST(BindLoop, SettingsThatDoNotFitTheInputsAreRefused) {
  for (const int64_t captures : {int64_t{5}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    SmallGraph net;
    const auto x = net.input("x", {1, 3});
    net.finish(
        {net.node("y", "loop", {ValueId{}, ValueId{}, x}, {{"body", loop_body(false)}, {"captures", captures}})});
    EXPECT_FALSE(bind(net.graph, {}).ok());
  }
  SmallGraph net;
  net.finish({net.node("y", "loop", {}, {{"body", loop_body(false)}})});
  EXPECT_FALSE(bind(net.graph, {}).ok());
}

TEST(BindScan, RunsOncePerStepOfItsSequence) {
  SmallGraph body;
  const auto state = body.input("state", {2, 3});
  const auto step = body.input("step", {2, 3});
  const auto sum = body.node("sum", "add", {state, step});
  const auto graph = body.finish({sum, sum});
  SmallGraph net;
  const auto initial = net.input("initial", {2, 3});
  const auto sequence = net.input("sequence", {2, 7, 3});
  net.node("last", "scan", {initial, sequence},
           {{"body", graph}, {"num_scan_inputs", int64_t{1}}, {"scan_input_axes", std::vector<int64_t>{1}}});
  net.graph.nodes.back().outputs.push_back(net.graph.add({"all", Role::activation, DType::f32, std::nullopt, nullptr}));
  net.finish(net.graph.nodes.back().outputs);
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(operation_named(*program, "sum")->repeat.value(), 7);
  EXPECT_EQ(operation_named(*program, "sum")->certainty, Certainty::exact);
  EXPECT_EQ(value_named(*program, "all")->type->shape, (Shape{7, 2, 3}));
}

TEST(BindControl, NestingThatIsTooDeepIsRefused) {
  std::shared_ptr<const Graph> body = product("inner", 2);
  for (int depth = 0; depth < 70; ++depth) {
    SmallGraph outer;
    const auto x = outer.input("in", {kBatch, 3});
    body = outer.finish(
        {outer.node("if", "if", {outer.boolean("c", true), x}, {{"then_branch", body}, {"else_branch", body}})});
  }
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  net.finish({net.node("top", "if", {net.boolean("c", true), x}, {{"then_branch", body}, {"else_branch", body}})});
  const auto program = bind(net.graph, {});
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("nested more than 64 deep"), std::string::npos) << program.error().line();
}

TEST(BindControl, AMistakeInsideNamesTheInnerNode) {
  SmallGraph body;
  const auto in = body.input("in", {kBatch, 3});
  const auto graph = body.finish({body.node("inner", "gemm", {in, body.parameter("w", {4, 4})})});
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  net.finish({net.node("outer", "if", {net.boolean("c", true), x}, {{"then_branch", graph}, {"else_branch", graph}})});
  const auto program = bind(net.graph, {});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().where, "node 'inner' (gemm)");
}

}  // namespace
}  // namespace plimsoll
