// Import, piece by piece: order, opsets, functions, subgraphs, contents.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using onnx::TensorProto;

Graph imported(const OnnxModel& model) {
  auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  if (!graph.ok()) return {};
  EXPECT_TRUE(validate(*graph).ok()) << validate(*graph).error().line();
  return *std::move(graph);
}

Program bound(const Graph& graph, const BindOptions& options = {}) {
  auto program = bind(graph, options);
  EXPECT_TRUE(program.ok()) << program.error().line();
  return program.ok() ? *std::move(program) : Program{};
}

TEST(OnnxImport, NodesAreOrderedAndNamed) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("Relu", {"b"}, {"y"}, "last");
  model.node("Relu", {"a"}, {"b"});
  model.node("Relu", {"x"}, {"a"}, "first");
  model.output("y");
  const Graph graph = imported(model);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].name, "first");
  EXPECT_EQ(graph.nodes[1].name, "Relu_1");
  EXPECT_EQ(graph.nodes[2].name, "last");
  EXPECT_EQ(graph.batch_symbol, "");
}

TEST(OnnxImport, SoftmaxBefore13Flattens) {
  for (const int opset : {12, 13}) {
    OnnxModel model(opset);
    model.input("x", {2, 3, 4});
    model.node("Softmax", {"x"}, {"y"});
    model.output("y");
    const Graph graph = imported(model);
    EXPECT_EQ(graph.nodes[0].attributes.integer("flatten", 0), opset < 13 ? 1 : 0);
    EXPECT_EQ(graph.nodes[0].attributes.integer("axis", -1), opset < 13 ? 1 : -1);
  }
}

TEST(OnnxOpsets, RegionsShiftByHalfAPixelOnlySince16) {
  for (const int64_t opset : {10, 15, 16}) {
    OnnxModel model(opset);
    model.input("x", {1, 2, 8, 8});
    model.input("rois", {3, 4});
    model.input("which", {3}, TensorProto::INT64);
    model.node("RoiAlign", {"x", "rois", "which"}, {"y"});
    model.output("y");
    const Graph graph = imported(model);
    EXPECT_EQ(graph.nodes[0].attributes.text("coordinate_transformation_mode", ""),
              opset < 16 ? "output_half_pixel" : "");
  }
}

TEST(OnnxImport, ResizeOfOpset10) {
  OnnxModel model(10);
  model.input("x", {1, 3, 4, 4});
  auto& scales = model.weight("scales", {4});
  scales.clear_raw_data();
  for (const float scale : {1.0f, 1.0f, 2.0f, 2.0f}) scales.add_float_data(scale);
  model.node("Resize", {"x", "scales"}, {"y"});
  model.output("y");
  const Program program = bound(imported(model));
  EXPECT_EQ(program.value(program.outputs[0]).type->shape.text(), "1x3x8x8");
}

onnx::NodeProto& add_body_node(onnx::FunctionProto& function, const std::string& op, const Names& inputs,
                               const Names& outputs, const std::string& domain = "") {
  auto& node = *function.add_node();
  node.set_op_type(op);
  node.set_domain(domain);
  for (const auto& input : inputs) node.add_input(input);
  for (const auto& output : outputs) node.add_output(output);
  return node;
}

// my:Block(x, w) = LeakyRelu(alpha)(my:Conv1(x, w)), my:Conv1 = Conv with pads from an attribute.
void add_functions(OnnxModel& model) {
  auto& block = *model.proto.add_functions();
  block.set_domain("my");
  block.set_name("Block");
  for (const char* name : {"x", "w"}) block.add_input(name);
  block.add_output("y");
  block.add_attribute("slope");
  block.add_opset_import()->set_version(13);
  auto& inner = add_body_node(block, "Conv1", {"x", "w"}, {"t"}, "my");
  set_integers(inner, "around", {1, 1, 1, 1});
  auto& leaky = add_body_node(block, "LeakyRelu", {"t"}, {"y"});
  auto* alpha = leaky.add_attribute();
  alpha->set_name("alpha");
  alpha->set_type(onnx::AttributeProto::FLOAT);
  alpha->set_ref_attr_name("slope");

  auto& conv = *model.proto.add_functions();
  conv.set_domain("my");
  conv.set_name("Conv1");
  for (const char* name : {"x", "w", "optional"}) conv.add_input(name);
  conv.add_output("t");
  auto* pads = add_body_node(conv, "Conv", {"x", "w", "optional"}, {"t"}).add_attribute();
  pads->set_name("pads");
  pads->set_type(onnx::AttributeProto::INTS);
  pads->set_ref_attr_name("around");
}

TEST(OnnxFunctions, AreInlinedWithTheirAttributes) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.weight("w", {4, 4, 3, 3});
  add_functions(model);
  auto& first = model.node("Block", {"x", "w"}, {"a"}, "one");
  first.set_domain("my");
  auto* slope = first.add_attribute();
  slope->set_name("slope");
  slope->set_type(onnx::AttributeProto::FLOAT);
  slope->set_f(0.25f);
  model.node("Block", {"a", "w"}, {"y"}, "two").set_domain("my");
  model.output("y");
  const Graph graph = imported(model);
  ASSERT_EQ(graph.nodes.size(), 4u);
  EXPECT_EQ(graph.nodes[0].op_name, "conv");
  EXPECT_EQ(graph.nodes[0].attributes.integers("pads"), (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(graph.nodes[1].attributes.number("alpha", 0), 0.25);
  EXPECT_FALSE(graph.nodes[3].attributes.has("alpha")) << "not given and without a default: left out";
  const Program program = bound(graph);
  EXPECT_EQ(program.value(program.outputs[0]).type->shape.text(), "1x4x8x8");
}

TEST(OnnxFunctions, DefaultsOfNewerFilesAreRead) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("Leaky", {"x"}, {"y"}, "call").set_domain("my");
  model.output("y");
  auto& function = *model.proto.add_functions();
  function.set_domain("my");
  function.set_name("Leaky");
  function.add_input("x");
  function.add_output("y");
  auto* alpha = add_body_node(function, "LeakyRelu", {"x"}, {"y"}).add_attribute();
  alpha->set_name("alpha");
  alpha->set_ref_attr_name("slope");
  onnx::AttributeProto fallback;
  fallback.set_name("slope");
  fallback.set_type(onnx::AttributeProto::FLOAT);
  fallback.set_f(0.5f);
  *function.mutable_unknown_fields() += prefixed('\x5a', fallback.SerializeAsString());  // field 11
  EXPECT_EQ(imported(model).nodes[0].attributes.number("alpha", 0), 0.5);
}

TEST(OnnxFunctions, PassAnInputThrough) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("Same", {"x"}, {"y"}, "call").set_domain("my");
  model.output("y");
  auto& function = *model.proto.add_functions();
  function.set_domain("my");
  function.set_name("Same");
  function.add_input("x");
  function.add_output("x");
  const Graph graph = imported(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op_name, "identity");
}

void add_branch(onnx::GraphProto& branch, const std::string& weight, const std::string& name) {
  GraphMaker maker{branch};
  maker.node("Conv", {"x", weight}, {name}, name + ".conv");
  maker.output(name);
}

TEST(OnnxSubgraphs, BranchesCaptureInOneOrder) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.weight("small", {4, 4, 1, 1});
  model.weight("large", {4, 4, 3, 3});
  model.input("condition", {}, TensorProto::BOOL);
  auto& node = model.node("If", {"condition"}, {"y"}, "choice");
  add_branch(set_graph(node, "then_branch"), "small", "then");
  add_branch(set_graph(node, "else_branch"), "large", "else");
  model.output("y");
  const Graph graph = imported(model);
  const Node& choice = graph.nodes[0];
  ASSERT_EQ(choice.inputs.size(), 4u);  // the condition, x, small, large
  EXPECT_EQ(choice.attributes.integer("captures", 0), 3);
  for (const char* name : {"then_branch", "else_branch"}) {
    const auto branch = choice.attributes.graph(name);
    ASSERT_TRUE(branch);
    EXPECT_TRUE(validate(*branch).ok());
    ASSERT_EQ(branch->inputs.size(), 3u);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(branch->value(branch->inputs[i]).name, graph.value(choice.inputs[1 + i]).name);
  }
  for (size_t i = 2; i < 4; ++i) EXPECT_EQ(graph.value(choice.inputs[i]).role, Role::parameter);
  const Program program = bound(graph);  // the costlier branch is taken
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].name, "else.conv");
}

TEST(OnnxSubgraphs, KnownConditionTakesItsBranch) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.weight("small", {4, 4, 1, 1});
  model.weight("large", {4, 4, 3, 3});
  auto& condition = *model.graph.add_initializer();
  condition.set_name("condition");
  condition.set_data_type(TensorProto::BOOL);
  condition.add_int32_data(1);
  auto& node = model.node("If", {"condition"}, {"y"}, "choice");
  add_branch(set_graph(node, "then_branch"), "small", "then");
  add_branch(set_graph(node, "else_branch"), "large", "else");
  model.output("y");
  const Program program = bound(imported(model));
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].name, "then.conv");
  EXPECT_EQ(program.operations[0].certainty, Certainty::exact);
}

TEST(OnnxSubgraphs, LoopBodyCapturesFromTwoGraphsOut) {
  OnnxModel model;
  model.input("x", {4, 4});
  model.weight("w", {4, 4});
  model.integers("rounds", {5});
  auto& loop = model.node("Loop", {"rounds", "", "x"}, {"y"}, "loop");
  GraphMaker body{set_graph(loop, "body")};
  body.input("i", {}, TensorProto::INT64);
  body.input("go", {}, TensorProto::BOOL);
  body.input("state", {4, 4});
  auto& choice = body.node("If", {"go"}, {"next"}, "choice");
  GraphMaker yes{set_graph(choice, "then_branch")}, no{set_graph(choice, "else_branch")};
  yes.node("MatMul", {"state", "w"}, {"product"}, "step");
  yes.output("product");
  no.node("Identity", {"state"}, {"same"}, "stay");
  no.output("same");
  body.output("go");
  body.output("next");
  model.output("y");
  const Graph graph = imported(model);
  EXPECT_EQ(graph.nodes[0].attributes.integer("captures", 0), 1);
  const Program program = bound(graph);
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].repeat.value(), 5);
  EXPECT_EQ(program.operations[0].cost.macs.value(), 64);
}

// A node that comes before what its subgraph captures is moved after it.
TEST(OnnxSubgraphs, CapturesOrderTheNodesAround) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.input("condition", {}, TensorProto::BOOL);
  auto& node = model.node("If", {"condition"}, {"y"}, "choice");
  for (const char* name : {"then_branch", "else_branch"}) {
    GraphMaker branch{set_graph(node, name)};
    branch.node("Relu", {"late"}, {std::string(name) + ".out"});
    branch.output(std::string(name) + ".out");
  }
  model.node("Relu", {"x"}, {"late"}, "before");
  model.output("y");
  EXPECT_EQ(imported(model).nodes[0].name, "before");
}

TEST(OnnxImport, ContentsOfEveryKind) {
  OnnxModel model;
  model.input("x", {1, 70'000});
  auto& raw = model.integers("raw", {});
  raw.clear_int64_data();
  raw.set_dims(0, 2);
  raw.set_raw_data(std::string("\1\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff", 16));
  std::vector<int64_t> many(3000);
  for (size_t i = 0; i < many.size(); ++i) many[i] = int64_t(i) * 1000;
  model.integers("packed", many);  // more than the scan copies
  auto& bytes = model.integers("bytes", {});
  bytes.set_dims(0, 8000);
  bytes.set_raw_data(std::string(64'000, '\1'));
  model.node("Frobnicate", {"x", "raw", "packed", "bytes"}, {"y"});
  model.output("y");
  const Graph graph = imported(model);
  const auto contents = [&](size_t i) { return graph.value(graph.nodes[0].inputs[i]).data; };
  ASSERT_TRUE(contents(1) && contents(2) && contents(3));
  EXPECT_EQ(contents(1)->integers(), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(contents(2)->integers(), many);
  EXPECT_EQ(contents(3)->integers()[7999], 0x0101010101010101);
}

// A file that carries our own private record of left-out contents gains nothing by it.
TEST(OnnxImport, LeftOutRecordsCannotBeForged) {
  OnnxModel model;
  add_small_network(model);
  auto& bias = *model.graph.mutable_initializer(3);
  bias.clear_raw_data();
  *bias.mutable_unknown_fields() = std::string("\x8a\xa6\xf4\x01\x04\x09\x01\x28\x28", 9);  // field 500001
  const Graph graph = imported(model);
  ASSERT_EQ(graph.notes.size(), 1u);
  EXPECT_NE(graph.notes[0].find("hold no numbers"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
