// bind: sizes, folding, what is not known, number formats, and mistakes that name their node.
#include "model/ir/bind.h"
#include "base/field_mark.h"

#include <gtest/gtest.h>

#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

const Dim kBatch{std::string("N")};

TEST(Bind, SetsTheBatchEverywhere) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3, 8, 8});
  const auto y = net.node("conv", "conv", {x, net.parameter("w", {4, 3, 3, 3})});
  net.finish({net.node("flat", "flatten", {y})});
  const auto one = bind(net.graph, {});
  const auto five = bind(net.graph, {.batch = 5});
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_EQ(one->batch, 1);
  EXPECT_EQ(five->batch, 5);
  EXPECT_EQ(value_named(*five, "flat")->type->shape, (Shape{5, 144}));
  EXPECT_EQ(one->operations[0].cost.macs.value(), 4 * 36 * 27);
  EXPECT_EQ(five->operations[0].cost.macs.value(), 5 * 4 * 36 * 27);
}

TEST(Bind, ABatchThatIsAPlainNumberMovesOnlyTheInputsItLeads) {
  SmallGraph net;
  net.graph.batch_symbol = "";
  const auto x = net.input("x", {2, 3});
  const auto mask = net.input("mask", {2, 3});
  const auto table = net.input("table", {7, 3});
  net.finish({net.node("sum", "add", {x, mask}), net.node("keep", "identity", {table})});
  const auto program = bind(net.graph, {.batch = 6});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "sum")->type->shape, (Shape{6, 3}));
  EXPECT_EQ(value_named(*program, "keep")->type->shape, (Shape{7, 3}));
}

TEST(Bind, TheSampleReplacesWhatFollowsTheBatch) {
  SmallGraph net;
  net.finish({net.node("r", "relu", {net.input("x", {kBatch, 3, Dim(std::string("H"))})})});
  const auto program = bind(net.graph, {.batch = 2, .sample = Shape{3, 32}});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "r")->type->shape, (Shape{2, 3, 32}));
}

TEST(Bind, ListsEverySizeThatIsLeftOpen) {
  SmallGraph net;
  const auto a = net.input("a", {kBatch, Dim(std::string("height")), 4});
  const auto b = net.input("b", {kBatch, Dim(std::string("width"))});
  net.finish({net.node("r", "relu", {a}), net.node("s", "relu", {b})});
  const auto program = bind(net.graph, {});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().line(),
            "the network leaves 'height', 'width' open (set each with " + named("dim") + " height=N)");
  EXPECT_TRUE(bind(net.graph, {.dims = {{"height", 3}, {"width", 5}}}).ok());
}

// x.view(x.size(0), -1) as exporters write it.
TEST(Bind, FoldsShapeArithmetic) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3, 4, 5});
  const auto shape = net.node("shape", "shape", {x});
  const auto batch = net.node("batch", "gather", {shape, net.constant("zero", integer_scalar(0))});
  const auto lifted = net.node("lifted", "unsqueeze", {batch, net.constant("axes", integer_tensor({0}))});
  const auto target =
      net.node("target", "concat", {lifted, net.constant("rest", integer_tensor({-1}))}, {{"axis", int64_t{0}}});
  net.finish({net.node("flat", "reshape", {x, target})});
  const auto program = bind(net.graph, {.batch = 7});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "flat")->type->shape, (Shape{7, 60}));
  ASSERT_EQ(program->operations.size(), 1U);
  EXPECT_EQ(program->operations[0].name, "flat");
  EXPECT_EQ(program->operations[0].certainty, Certainty::exact);
  EXPECT_EQ(value_named(*program, "target")->constant->integers(), (std::vector<int64_t>{7, -1}));
  EXPECT_EQ(value_named(*program, "target")->role, Role::constant);
}

TEST(Bind, AnUnknownOperationLeavesTypesOpenAndIsNotCounted) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  const auto odd = net.node("odd", "com.example:Odd", {x});
  net.finish({net.node("after", "relu", {odd})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_FALSE(value_named(*program, "odd")->type);
  EXPECT_FALSE(value_named(*program, "after")->type);
  for (const auto& operation : program->operations) {
    EXPECT_EQ(operation.certainty, Certainty::unknown);
    EXPECT_EQ(operation.cost.flops.value(), 0);
  }
}

TEST(Bind, AnExportersShapeStandsInForAnUnknownOperation) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  const auto odd = net.node("odd", "com.example:Odd", {x});
  net.graph.value(odd).shape = SymbolicShape{kBatch, 10};
  net.finish({net.node("after", "relu", {odd})});
  const auto program = bind(net.graph, {.batch = 4});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations[0].certainty, Certainty::unknown);
  EXPECT_EQ(value_named(*program, "after")->type->shape, (Shape{4, 10}));
  EXPECT_EQ(program->operations[1].certainty, Certainty::exact);
  EXPECT_EQ(program->operations[1].cost.flops.value(), 40);
}

TEST(Bind, AShapeThatOnlyARunTellsIsNotAnError) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 12});
  const auto target = net.input("target", {2}, DType::i64);
  net.finish({net.node("r", "reshape", {x, target})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations[0].certainty, Certainty::unknown);
}

TEST(Bind, SizesThatDependOnDataAreTakenAtTheirLargest) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 6});
  const auto places = net.node("places", "non_zero", {x});
  const auto count = net.node("count", "shape", {places});
  const auto zeros = net.node("zeros", "constant_of_shape", {count});
  net.finish({net.node("sum", "add", {zeros, net.input("s", {1})})});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "places")->type->shape, (Shape{2, 6}));
  EXPECT_EQ(operation_named(*program, "places")->certainty, Certainty::at_most);
  EXPECT_EQ(operation_named(*program, "sum")->certainty, Certainty::at_most);
  EXPECT_EQ(operation_named(*program, "sum")->cost.flops.value(), 12);
}

TEST(Bind, ContradictionsNameTheNodeAndShowBothShapes) {
  SmallGraph net;
  net.finish({net.node("joined", "add", {net.input("a", {kBatch, 3}), net.input("b", {kBatch, 4})})});
  const auto program = bind(net.graph, {.batch = 2});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().line(), "node 'joined' (add): shapes 2x3 and 2x4 do not broadcast");
}

TEST(Bind, SizesBeyond64BitsAreRefused) {
  struct Case {
    SymbolicShape shape;
    std::string_view part;
  };
  constexpr int64_t kHuge = int64_t{1} << 40;
  const Case cases[] = {{{kHuge, kHuge}, "value 'x': a tensor of shape"},
                        {{kHuge, kHuge, 0}, "overflow"},
                        {{int64_t{1} << 60, 0}, "overflow"},
                        {{-1, 3}, "expected sizes of at least 0"}};
  for (const auto& c : cases) {
    SmallGraph net;
    net.finish({net.node("r", "relu", {net.input("x", c.shape)})});
    const auto program = bind(net.graph, {});
    ASSERT_FALSE(program.ok());
    EXPECT_NE(program.error().line().find(c.part), std::string::npos) << program.error().line();
  }
}

TEST(Bind, CostsBeyond64BitsAreRefused) {
  SmallGraph net;
  constexpr int64_t kSide = int64_t{1} << 24;
  net.finish({net.node("huge", "gemm", {net.input("a", {kSide, kSide}), net.input("b", {kSide, kSide})})});
  const auto program = bind(net.graph, {});
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("node 'huge'"), std::string::npos);
  EXPECT_NE(program.error().line().find("overflow"), std::string::npos);
}

TEST(Bind, ConvertsParametersAndActivationsToTheirFormats) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3});
  const auto index = net.input("index", {kBatch}, DType::i64);
  const auto y = net.node("y", "gemm", {x, net.parameter("w", {3, 4})});
  net.finish({y, net.node("row", "gather", {net.parameter("table", {9, 4}), index})});
  const auto program = bind(net.graph, {.parameters = DType::f16, .activations = DType::bf16});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(value_named(*program, "w")->type->dtype, DType::f16);
  EXPECT_EQ(value_named(*program, "x")->type->dtype, DType::bf16);
  EXPECT_EQ(value_named(*program, "y")->type->dtype, DType::bf16);
  EXPECT_EQ(value_named(*program, "index")->type->dtype, DType::i64);
  EXPECT_EQ(operation_named(*program, "y")->moved.value(), 2 * (3 + 12 + 4));
}

// A hostile file may leave out the outputs that rules look at first.
TEST(Bind, OutputsThatAreLeftOutAreHarmless) {
  SmallGraph net;
  const auto x = net.input("x", {kBatch, 3, 8, 8});
  net.node("conv", "conv", {x, net.parameter("w", {4, 3, 3, 3})});
  net.node("shape", "shape", {x});
  net.node("slice", "split", {x}, {{"axis", int64_t{1}}, {"split", std::vector<int64_t>{1, 2}}});
  net.graph.nodes[0].outputs = {ValueId{}};
  net.graph.nodes[1].outputs = {};
  net.graph.nodes[2].outputs.insert(net.graph.nodes[2].outputs.begin(), ValueId{});
  net.finish({});
  const auto program = bind(net.graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations[0].cost.macs.value(), 4 * 36 * 27);
  EXPECT_EQ(value_named(*program, "slice")->type->shape, (Shape{1, 2, 8, 8}));
}

// Detectors take one picture of three colours, without a batch axis: that is not a batch of 3.
TEST(Bind, APictureWithoutABatchAxisIsOneSample) {
  SmallGraph made;
  made.graph.batch_symbol.clear();
  const ValueId x = made.input("x", {3, 64, 48}), w = made.parameter("w", {2, 3, 3, 3});
  const ValueId image = made.node("image", "reshape", {x}, {{"shape", std::vector<int64_t>{1, 3, 64, 48}}});
  made.finish({made.node("y", "conv", {image, w})});
  const auto alone = bind(made.graph, {}), one = bind(made.graph, {.batch = 1}), two = bind(made.graph, {.batch = 2});
  ASSERT_TRUE(alone.ok() && one.ok());
  EXPECT_EQ(alone->batch, 1);
  EXPECT_EQ(one->batch, 1);
  ASSERT_FALSE(two.ok());
  EXPECT_NE(two.error().line().find("3x64x48"), std::string::npos) << two.error().line();
}

// Without convolutions it may be a batch of sequences.
TEST(Bind, ThreeSequencesAreABatch) {
  SmallGraph made;
  made.graph.batch_symbol.clear();
  const ValueId x = made.input("x", {3, 64, 48}), w = made.parameter("w", {48, 8});
  made.finish({made.node("y", "matmul", {x, w})});
  EXPECT_EQ(bind(made.graph, {})->batch, 3);
  EXPECT_EQ(bind(made.graph, {.batch = 5})->batch, 5);
}

}  // namespace
}  // namespace plimsoll
