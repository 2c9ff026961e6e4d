// Folding in bind: what sizes need is always computed, the rest only within limits of work and bytes.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/ir/work_limit.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

const Dim kBatch{std::string("N")};

TEST(WorkLimit, TakesWhatIsAskedForWhileItLasts) {
  EXPECT_TRUE(may_work(Count(int64_t{1} << 60)));  // none is in force
  const WorkLimit outer(100);
  EXPECT_TRUE(may_work(Count(60)));
  EXPECT_FALSE(may_work(Count(41)));
  EXPECT_EQ(outer.left(), 40);  // what is refused is not taken
  {
    const WorkLimit inner(10);
    EXPECT_FALSE(may_work(Count(11)));
    EXPECT_TRUE(may_work(Count(10)));
  }
  EXPECT_EQ(outer.left(), 40);
  EXPECT_FALSE(may_work(Count(Count::kOverflow)));
}

ValueId ones(SmallGraph& net, const std::vector<int64_t>& shape) {
  return net.node("ones", "constant_of_shape", {net.constant("shape", integer_tensor(shape))});
}

Bytes bytes_held(const Program& program) {
  Bytes bytes;
  for (const auto& value : program.values)
    if (value.constant) bytes += Bytes(int64_t(value.constant->bytes.size()));
  return bytes;
}

// 13 operands of two letters each: 9^26 combinations of indices, from 81 numbers.
TEST(BindFold, AnEinsumOverTooManyIndicesIsLeftForTheRun) {
  SmallGraph net;
  std::string equation;
  for (char letter = 'a'; letter < 'z'; letter += 2) equation += std::string(",") + letter + char(letter + 1);
  net.node("q", "einsum", std::vector<ValueId>(13, ones(net, {9, 9})), {{"equation", equation.substr(1) + "->"}});
  net.node("small", "einsum", {ones(net, {3, 3})}, {{"equation", std::string("ab->")}});
  net.finish({net.node("y", "relu", {net.input("x", {kBatch, 4})})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_NE(operation_named(*program, "q"), nullptr);
  EXPECT_EQ(value_named(*program, "q")->constant, nullptr);
  EXPECT_TRUE(value_named(*program, "q")->type);
  ASSERT_NE(value_named(*program, "small")->constant, nullptr);
}

// However much of the limit large constants take, the sizes that come after them are known.
TEST(BindFold, LargeConstantsLeaveRoomForShapeArithmetic) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3, 4});
  const auto large = ones(net, {1 << 20});
  for (int i = 0; i < 200; ++i) net.node("exp" + std::to_string(i), "exp", {large});
  const auto rows =
      net.node("rows", "gather", {net.node("shape_of_x", "shape", {x}), net.constant("zero", integer_tensor({0}))});
  const auto target =
      net.node("target", "concat", {rows, net.constant("rest", integer_tensor({-1}))}, {{"axis", int64_t{0}}});
  net.finish({net.node("y", "reshape", {x, target})});
  const auto program = bind(net.graph, {.batch = 5});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "y")->type->shape, (Shape{5, 12}));
  EXPECT_EQ(operation_named(*program, "exp0"), nullptr);    // folded
  EXPECT_NE(operation_named(*program, "exp199"), nullptr);  // not any more
  EXPECT_LE(bytes_held(*program), Bytes(int64_t{128} << 20));
}

// A chain of large constants is computed link by link: what has been read is given back.
TEST(BindFold, WhatOnlyFoldedOperationsReadIsGivenBack) {
  SmallGraph net;
  ValueId last = ones(net, {1 << 18});
  for (int i = 0; i < 30; ++i) last = net.node("neg" + std::to_string(i), "neg", {last});
  net.finish({net.node("y", "add", {net.input("x", {kBatch, 1 << 18}), last})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations.size(), 1u);
  EXPECT_EQ(value_named(*program, "neg28")->constant, nullptr);
  ASSERT_NE(value_named(*program, "neg29")->constant, nullptr);
  EXPECT_EQ(value_named(*program, "neg29")->constant->as<float>()[7], 0.0F);
}

// Read in a branch and afterwards: the first read does not take it away.
TEST(BindFold, ASubgraphDoesNotTakeWhatIsReadAfterIt) {
  SmallGraph then_branch, else_branch, net;
  for (SmallGraph* branch : {&then_branch, &else_branch}) {
    const auto captured = branch->input("captured", {2});
    branch->finish({branch->node("twice", "add", {captured, captured})});
  }
  const auto sizes = net.node("sizes", "shape", {net.input("x", {kBatch, 6})});
  const auto doubled = net.node("doubled", "add", {sizes, sizes});
  const auto inside = net.node("inside", "if", {net.boolean("yes", true), doubled},
                               {{"then_branch", std::make_shared<const Graph>(then_branch.graph)},
                                {"else_branch", std::make_shared<const Graph>(else_branch.graph)}});
  net.finish({net.node("both", "add", {inside, doubled})});
  const auto program = bind(net.graph, {.batch = 2});
  ASSERT_TRUE(program.ok()) << program.error().line();
  ASSERT_NE(value_named(*program, "both")->constant, nullptr);
  EXPECT_EQ(value_named(*program, "both")->constant->integers(), (std::vector<int64_t>{12, 36}));
}

}  // namespace
}  // namespace plimsoll
