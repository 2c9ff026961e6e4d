// Sizes, contents and names that cannot be: the message says what and where, and nothing crashes.
// The numbers are those of the list of bad inputs that the project keeps.
#include <limits>

#include "base/field_mark.h"
#include "tests/error/onnx_failure.h"

namespace plimsoll {
namespace {

using onnx::TensorProto;

TEST(OnnxErrors, Row16NegativeSizes) {
  OnnxModel input;
  add_small_network(input);
  input.input("z", {1, -5});
  PLIM_EXPECT_SAYS(failure(input), "input 'z': has the size -5 at axis 1");
  OnnxModel weight;
  add_small_network(weight);
  weight.graph.mutable_initializer(1)->set_dims(0, -4);
  PLIM_EXPECT_SAYS(failure(weight), "initializer 'conv.bias': has the shape -4");
}

TEST(OnnxErrors, Row17ZeroSizesAreEmptyTensors) {
  OnnxModel model;
  model.input("x", {0, 4});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  PLIM_EXPECT_SAYS(notes_of(*graph), "size of 0");
  EXPECT_TRUE(bind(*graph, {}).ok());
}

TEST(OnnxErrors, Row18ProductOverflows) {
  OnnxModel model;
  add_small_network(model);
  auto& weight = *model.graph.mutable_initializer(0);
  for (int i = 0; i < 4; ++i) weight.set_dims(i, int64_t{1} << 40);
  PLIM_EXPECT_SAYS(failure(model), "overflow");
  OnnxModel input;
  input.input("x", {1 << 30, 1 << 30, 1 << 30});
  input.node("Relu", {"x"}, {"y"});
  input.output("y");
  PLIM_EXPECT_SAYS(failure(input), "overflow");
}

TEST(OnnxErrors, Row19OpenSizesAreAskedFor) {
  OnnxModel model;
  model.input("x", {"batch", "sequence", ""});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "'sequence'");
  PLIM_EXPECT_SAYS(message, "'unk_0_2'");
  PLIM_EXPECT_SAYS(message, named("dim"));
}

TEST(OnnxErrors, Row20ContradictoryShapes) {
  OnnxModel model;
  model.input("a", {2, 3});
  model.input("b", {4, 5});
  model.node("MatMul", {"a", "b"}, {"y"}, "product");
  model.output("y");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "'product'");
  PLIM_EXPECT_SAYS(message, "2x3");
  PLIM_EXPECT_SAYS(message, "4x5");
}

TEST(OnnxErrors, Row21RankTooLow) {
  for (const char* op : {"Conv", "LSTM", "GRU", "RNN", "BatchNormalization", "InstanceNormalization", "ConvTranspose",
                         "MaxPool", "GlobalAveragePool", "Gemm"}) {
    SCOPED_TRACE(op);
    OnnxModel model;
    model.input("x", {3});
    Names inputs = {"x"};
    const std::string name = op;
    const int more = name == "MaxPool" || name == "GlobalAveragePool" ? 0 : name == "BatchNormalization" ? 4 : 2;
    for (int i = 0; i < more; ++i) {
      model.weight("w" + std::to_string(i), {3});
      inputs.push_back("w" + std::to_string(i));
    }
    auto& node = model.node(op, inputs, {"y"}, "low");
    if (name == "LSTM" || name == "GRU" || name == "RNN") set_integer(node, "hidden_size", 3);
    if (name == "MaxPool") set_integers(node, "kernel_shape", {2, 2});
    model.output("y");
    const std::string message = failure(model);
    expect_one_line(message);
    PLIM_EXPECT_SAYS(message, "'low'");
  }
}

TEST(OnnxErrors, Row22EmptyInputsOfSliceOneHotSplit) {
  for (const char* op : {"Slice", "OneHot", "Split"}) {
    for (const int count : {0, 1, 3}) {
      SCOPED_TRACE(std::string(op) + " " + std::to_string(count));
      OnnxModel model;
      model.input("x", {4, 4});
      model.integers("empty", {});
      Names inputs;
      if (count > 0) inputs.push_back("x");
      for (int i = 1; i < count; ++i) inputs.push_back("empty");
      model.node(op, inputs, {"y"}, "odd");
      model.output("y");
      const auto graph = model.import();
      ASSERT_TRUE(graph.ok()) << graph.error().line();
      const auto program = bind(*graph, {});  // an error or an answer, but no crash
      if (!program.ok()) expect_one_line(program.error().line());
      EXPECT_TRUE(count > 0 || !program.ok());
    }
  }
}

TEST(OnnxErrors, Row23ContentsOfTheWrongLength) {
  OnnxModel raw;
  add_small_network(raw);
  raw.graph.mutable_initializer(2)->set_raw_data("abcd");
  const std::string message = failure(raw);
  PLIM_EXPECT_SAYS(message, "initializer 'fc.weight': has 4 bytes in raw_data, its shape 10x144 of f32 needs 5760");
  OnnxModel typed;
  add_small_network(typed);
  auto& bias = *typed.graph.mutable_initializer(3);
  bias.clear_raw_data();
  for (int i = 0; i < 9; ++i) bias.add_float_data(1);
  PLIM_EXPECT_SAYS(failure(typed), "has 9 numbers in float_data");
  OnnxModel large;  // so large that the scan leaves it out
  add_small_network(large);
  large.weight("big", {100, 100}).set_raw_data(std::string(30'000, 'x'));
  PLIM_EXPECT_SAYS(failure(large), "has 30000 bytes in raw_data");
  OnnxModel wrong_field;
  add_small_network(wrong_field);
  auto& tensor = *wrong_field.graph.mutable_initializer(3);
  tensor.clear_raw_data();
  for (int i = 0; i < 10; ++i) tensor.add_int64_data(1);
  PLIM_EXPECT_SAYS(failure(wrong_field), "int64_data");
}

TEST(OnnxErrors, Row24TwoKindsOfContents) {
  OnnxModel model;
  add_small_network(model);
  for (int i = 0; i < 10; ++i) model.graph.mutable_initializer(3)->add_float_data(1);
  PLIM_EXPECT_SAYS(failure(model), "has float_data and raw_data, expected one of them");
  OnnxModel external;
  add_small_network(external);
  auto& bias = *external.graph.mutable_initializer(3);
  bias.set_data_location(TensorProto::EXTERNAL);
  auto* entry = bias.add_external_data();
  entry->set_key("location");
  entry->set_value("w.bin");
  PLIM_EXPECT_SAYS(failure(external), "has raw_data and external data");
}

TEST(OnnxErrors, Row25StringsAsWeights) {
  for (const char* op : {"Conv", "MatMul", "Add"}) {
    OnnxModel model;
    model.input("x", {1, 2, 3, 3});
    auto& tensor = model.weight("w", {2, 2, 1, 1});
    tensor.clear_raw_data();
    tensor.set_data_type(TensorProto::STRING);
    for (int i = 0; i < 4; ++i) tensor.add_string_data("one");
    model.node(op, {"x", "w"}, {"y"}, "odd");
    model.output("y");
    const std::string message = failure(model);
    PLIM_EXPECT_SAYS(message, "'w'");
    PLIM_EXPECT_SAYS(message, "string");
  }
}

TEST(OnnxErrors, Row26UnknownDataType) {
  OnnxModel model;
  add_small_network(model);
  model.graph.mutable_initializer(3)->set_data_type(99);
  PLIM_EXPECT_SAYS(failure(model), "initializer 'fc.bias': has the data type 99");
  OnnxModel input;
  add_small_network(input);
  input.input("z", {1}, 99);
  PLIM_EXPECT_SAYS(failure(input), "input 'z': has the data type 99");
}

TEST(OnnxErrors, Row27ImpossibleWindows) {
  const std::vector<std::pair<std::string, std::vector<int64_t>>> settings = {
      {"kernel_shape", {0, 3}}, {"kernel_shape", {-3, 3}}, {"strides", {0, 1}},   {"strides", {-1, 1}},
      {"dilations", {0, 1}},    {"pads", {-9, 0, 0, 0}},   {"strides", {1, 1, 1}}};
  for (const auto& [name, values] : settings) {
    OnnxModel model;
    add_small_network(model);
    set_integers(*model.graph.mutable_node(0), name, values);
    const std::string message = failure(model);
    expect_one_line(message);
    PLIM_EXPECT_SAYS(message, "node 'conv'");
  }
  for (const int64_t group : {0, -1, 2, 5}) {
    OnnxModel model;
    add_small_network(model);
    set_integer(*model.graph.mutable_node(0), "group", group);
    PLIM_EXPECT_SAYS(failure(model), "group");
  }
}

TEST(OnnxErrors, Row28TooManyNodesOrInputs) {
  OnnxModel nodes;
  nodes.input("x", {1});
  for (int i = 0; i < 1000; ++i) nodes.node("Relu", {i ? "v" + std::to_string(i) : "x"}, {"v" + std::to_string(i + 1)});
  nodes.output("v1000");
  ImportLimits limits;
  limits.nodes = 999;
  auto graph = import_onnx_bytes(nodes.bytes(), limits);
  ASSERT_FALSE(graph.ok());
  PLIM_EXPECT_SAYS(graph.error().line(),
                   "1,000 nodes, the limit is 999 (raise it with " + named("max_nodes") + " 1000)");
  limits.nodes = 1000;
  EXPECT_TRUE(import_onnx_bytes(nodes.bytes(), limits).ok());

  OnnxModel inputs;
  add_small_network(inputs);
  for (int i = 0; i < 100; ++i) inputs.input("in" + std::to_string(i), {1});
  limits.inputs = 100;
  graph = import_onnx_bytes(inputs.bytes(), limits);
  ASSERT_FALSE(graph.ok());
  PLIM_EXPECT_SAYS(graph.error().line(), "101 inputs, the limit is 100");
}

TEST(OnnxErrors, Row29SubgraphsTwoHundredDeep) {
  for (const char* op : {"If", "Loop", "Scan"}) {
    SCOPED_TRACE(op);
    std::string graph;
    for (int i = 0; i < 200; ++i) {
      const std::string attribute = prefixed('\x0a', "body") + prefixed('\x32', graph);
      graph = prefixed('\x0a', prefixed('\x22', op) + prefixed('\x2a', attribute));
    }
    OnnxModel model;
    PLIM_EXPECT_SAYS(failure_of_bytes(model.bytes() + prefixed('\x3a', graph)), "nested too deep");
  }
}

// Every level passes on what the innermost one reads: a small file with a large sum.
TEST(OnnxErrors, Row29CapturesThroughEveryLevel) {
  OnnxModel model;
  model.input("c", {}, TensorProto::BOOL);
  Names names;
  for (int i = 0; i < 5000; ++i) {
    names.push_back("v" + std::to_string(i));
    model.node("Relu", {"c"}, {names.back()});
  }
  onnx::GraphProto* graph = &model.graph;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "o" + std::to_string(i);
    auto& node = GraphMaker{*graph}.node("If", {"c"}, {name});
    if (i > 0) GraphMaker{*graph}.output(name);
    set_graph(node, "else_branch").add_output()->set_name("c");
    graph = &set_graph(node, "then_branch");
  }
  GraphMaker{*graph}.node("Sum", names, {"sum"});
  GraphMaker{*graph}.output("sum");
  model.output("o0");
  PLIM_EXPECT_SAYS(failure(model), "take more values from the graphs around them");
}

TEST(OnnxErrors, Row30EndlessLoopIsUnbounded) {
  OnnxModel model;
  model.input("x", {2, 2});
  model.integers("rounds", {std::numeric_limits<int64_t>::max()});
  auto& loop = model.node("Loop", {"rounds", "", "x"}, {"y"}, "forever");
  auto& body = set_graph(loop, "body");
  GraphMaker inner{body};
  inner.input("i", {}, TensorProto::INT64);
  inner.input("go", {}, TensorProto::BOOL);
  inner.input("state", {2, 2});
  inner.node("MatMul", {"state", "x"}, {"next"}, "step");
  inner.output("go");
  inner.output("next");
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  const auto program = bind(*graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  ASSERT_EQ(program->operations.size(), 1u);
  EXPECT_EQ(program->operations[0].certainty, Certainty::unbounded);
}

TEST(OnnxErrors, Row31NotFiniteNumbersAreNoted) {
  OnnxModel model;
  add_small_network(model);
  auto& scalar = *model.graph.add_initializer();
  scalar.set_name("scale");
  scalar.set_data_type(TensorProto::FLOAT);
  scalar.add_float_data(std::numeric_limits<float>::quiet_NaN());
  model.node("Mul", {"y", "scale"}, {"z"});
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  PLIM_EXPECT_SAYS(notes_of(*graph), "hold NaN, first 'scale'");
}

TEST(OnnxErrors, Row32HostileNames) {
  for (const std::string& name : {std::string("\x1b[31mred"), std::string("two\nlines"), std::string("<script>"),
                                  std::string("\xe2\x80\xae"
                                              "gnp.exe"),
                                  std::string(1'000'000, 'n')}) {
    OnnxModel model;
    add_small_network(model);
    model.node("Relu", {name}, {"z"}, name);
    const std::string message = failure(model);
    expect_one_line(message);
    EXPECT_LT(message.size(), 1000u);
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
    EXPECT_EQ(message.find("\xe2\x80\xae"), std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll
