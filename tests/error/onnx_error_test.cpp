// One test per mistake that an .onnx file can make: the message says what and where, and nothing
// crashes. The numbers are those of the list of bad inputs that the project keeps.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

#include "model/ir/bind.h"
#include "tests/harness/run_program.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using onnx::TensorProto;

// Import and, where that succeeds, bind: the message of whichever fails, "" when neither does.
std::string failure(const OnnxModel& model) {
  const auto graph = model.import();
  if (!graph.ok()) return graph.error().line();
  const auto program = bind(*graph, {});
  return program.ok() ? "" : program.error().line();
}

std::string failure_of_bytes(std::string_view bytes) {
  const auto graph = import_onnx_bytes(bytes);
  return graph.ok() ? "" : graph.error().line();
}

std::string failure_of_file(const std::string& path) {
  const auto graph = import_onnx(path, {});
  return graph.ok() ? "" : graph.error().line();
}

std::string notes_of(const Graph& graph) {
  std::string all;
  for (const auto& note : graph.notes) all += note + "\n";
  return all;
}

#define PLIM_EXPECT_SAYS(text, part)                                                                              \
  EXPECT_PRED2([](const std::string& t, const std::string& p) { return t.find(p) != std::string::npos; }, (text), \
               (part))

void expect_one_line(const std::string& text) {
  EXPECT_FALSE(text.empty()) << "was accepted";
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(OnnxErrors, Row01EmptyFile) {
  TemporaryFolder folder;
  PLIM_EXPECT_SAYS(failure_of_file(folder.write("m.onnx", "")), "empty, not ONNX");
}

TEST(OnnxErrors, Row02OtherKindsOfFile) {
  PLIM_EXPECT_SAYS(failure_of_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
                   "Git LFS pointer: run git lfs pull");
  PLIM_EXPECT_SAYS(failure_of_bytes("<!DOCTYPE html><html><body>404</body></html>"), "HTML");
  PLIM_EXPECT_SAYS(failure_of_bytes("\n <html></html>"), "HTML");
  PLIM_EXPECT_SAYS(failure_of_bytes("{\"model_type\": \"bert\"}"), "JSON");
  PLIM_EXPECT_SAYS(failure_of_bytes("hello, this is a note"), "text, not ONNX");
  PLIM_EXPECT_SAYS(failure_of_bytes("PK\x03\x04 archive/data.pkl"), "may run code");
  PLIM_EXPECT_SAYS(failure_of_bytes("\x80\x02}q\x01."), "may run code");
  PLIM_EXPECT_SAYS(failure_of_bytes("\x1f\x8b\x08 zipped"), "gzip");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x10\0\0\0\0\0\0\0{\"a\":{}        }", 24)), "safetensors");
  expect_one_line(
      failure_of_bytes(std::string("\x7f"
                                   "ELF\x02\x01\x01",
                                   7)));
  expect_one_line(failure_of_bytes(std::string("\x08\x07", 2)));  // a good start, but no graph
}

TEST(OnnxErrors, Row02NotAFile) {
  TemporaryFolder folder;
  const std::string fifo = folder.path() + "/pipe.onnx";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  PLIM_EXPECT_SAYS(failure_of_file(fifo), "FIFO");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path()), "a folder");
  PLIM_EXPECT_SAYS(failure_of_file("/dev/null"), "a device");
  folder.write("resnet50.onnx", "x");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path() + "/resnet5.onnx"), "did you mean 'resnet50.onnx'?");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path() + "/no/such/folder.onnx"), "no such file");
}

TEST(OnnxErrors, Row03TruncatedAtEveryByte) {
  OnnxModel model;
  add_small_network(model);
  const std::string whole = model.bytes();
  ASSERT_EQ(failure_of_bytes(whole), "");
  for (size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    const std::string message = failure_of_bytes(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(message.empty()) << "a truncated model was accepted";
    ASSERT_EQ(message.find('\n'), std::string::npos);
  }
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string_view(whole).substr(0, whole.size() / 2)),
                   "truncated at byte " + std::to_string(whole.size() / 2));
}

TEST(OnnxErrors, Row05NestedTooDeep) {
  OnnxModel model;
  add_small_network(model);
  std::string type;  // written by hand: protobuf itself refuses to write so deep
  for (int i = 0; i < 300; ++i) type = prefixed('\x22', prefixed('\x0a', type));
  const std::string graph = prefixed('\x6a', prefixed('\x12', type));
  PLIM_EXPECT_SAYS(failure_of_bytes(model.bytes() + prefixed('\x3a', graph)), "nested too deep");
}

TEST(OnnxErrors, Row06NumbersAndLengthsThatOverrun) {
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)), "byte 1");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\xff", 2)), "truncated at byte 2");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x3a\x04\x2a\x09zz", 8)), "says 9 bytes, 2 are left");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x0f", 3)), "damaged at byte 2");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x3d\x01\x02\x03\x04", 7)), "wire type");
}

TEST(OnnxErrors, Row07HugeLengthInASmallFile) {
  std::string bytes("\x08\x07\x3a", 3);
  for (uint64_t size = 10'000'000'000u; true; size >>= 7) {
    bytes.push_back(char((size & 0x7F) | (size >= 0x80 ? 0x80 : 0)));
    if (size < 0x80) break;
  }
  bytes.resize(1024, 'a');
  PLIM_EXPECT_SAYS(failure_of_bytes(bytes), "field graph of model says 10000000000 bytes");
}

TEST(OnnxErrors, Row08InvalidUtf8IsEscaped) {
  OnnxModel model;
  add_small_network(model);
  model.node("Relu", {"y"}, {"z\xff\xfe"}, "bad\xc3");
  model.node("Relu", {"nowhere\xff"}, {"w"}, "bad\xc3");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "bad\\xC3");
  PLIM_EXPECT_SAYS(message, "nowhere\\xFF");
}

TEST(OnnxErrors, Row09CycleNamesItsNodes) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("Add", {"x", "c"}, {"a"}, "first");
  model.node("Relu", {"a"}, {"b"}, "second");
  model.node("Relu", {"b"}, {"c"}, "third");
  model.output("c");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "cycle");
  for (const char* name : {"'first'", "'second'", "'third'"}) PLIM_EXPECT_SAYS(message, name);
}

onnx::FunctionProto& add_function(OnnxModel& model, const std::string& name, const std::string& calls) {
  auto& function = *model.proto.add_functions();
  function.set_domain("my");
  function.set_name(name);
  function.add_input("x");
  function.add_output("y");
  auto& node = *function.add_node();
  node.set_domain(calls == "Relu" ? "" : "my");
  node.set_op_type(calls);
  node.add_input("x");
  node.add_output("y");
  return function;
}

TEST(OnnxErrors, Row10FunctionsThatCallEachOther) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("F", {"x"}, {"y"}, "call").set_domain("my");
  model.output("y");
  add_function(model, "F", "G");
  add_function(model, "G", "H");
  add_function(model, "H", "G");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "circle");
  PLIM_EXPECT_SAYS(message, "'my:G'");
  PLIM_EXPECT_SAYS(message, "'my:H'");
}

TEST(OnnxErrors, Row10FunctionsThatExplode) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("F0", {"x"}, {"y"}, "call").set_domain("my");
  model.output("y");
  for (int i = 0; i < 40; ++i) {  // each calls the next twice: 2^40 nodes
    auto& function = add_function(model, "F" + std::to_string(i), i < 39 ? "F" + std::to_string(i + 1) : "Relu");
    function.mutable_node(0)->set_output(0, "m");
    auto& again = *function.add_node();
    again = function.node(0);
    again.set_input(0, "m");
    again.set_output(0, "y");
  }
  PLIM_EXPECT_SAYS(failure(model), "--max-nodes");
}

TEST(OnnxErrors, Row11InputThatNothingProduces) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("Add", {"x", "ghost"}, {"y"}, "sum");
  model.output("y");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "node 'sum' (Add)");
  PLIM_EXPECT_SAYS(message, "'ghost'");
  OnnxModel no_output;
  add_small_network(no_output);
  no_output.output("missing");
  PLIM_EXPECT_SAYS(failure(no_output), "output 'missing'");
}

TEST(OnnxErrors, Row12NameProducedTwice) {
  OnnxModel model;
  add_small_network(model);
  model.node("Relu", {"x"}, {"r"}, "again");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "node 'again'");
  PLIM_EXPECT_SAYS(message, "'r'");
  PLIM_EXPECT_SAYS(message, "'relu'");
  OnnxModel input;
  add_small_network(input);
  input.node("Relu", {"y"}, {"x"}, "loop");
  PLIM_EXPECT_SAYS(failure(input), "'x', which is an input already");
  OnnxModel initializer;
  add_small_network(initializer);
  initializer.node("Relu", {"y"}, {"fc.bias"}, "over");
  PLIM_EXPECT_SAYS(failure(initializer), "'fc.bias', which is an initializer already");
  OnnxModel twins;
  add_small_network(twins);
  twins.weight("fc.bias", {10});
  PLIM_EXPECT_SAYS(failure(twins), "two initializers");
}

TEST(OnnxErrors, Row13UnknownOperationIsListed) {
  OnnxModel model;
  add_small_network(model);
  model.node("Frobnicate", {"y"}, {"z"}, "odd").set_domain("com.example");
  model.node("Relu", {"z"}, {"w"}, "after");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_EQ(graph->nodes[4].op, nullptr);
  EXPECT_EQ(graph->nodes[4].op_name, "com.example:Frobnicate");
  const auto program = bind(*graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations.back().certainty, Certainty::unknown);
  EXPECT_GT(program->operations.front().cost.macs.value(), 0);
}

TEST(OnnxErrors, Row14NewerVersionsAreNoted) {
  OnnxModel model(99);
  add_small_network(model);
  model.proto.set_ir_version(77);
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  PLIM_EXPECT_SAYS(notes_of(*graph), "opset 99");
  PLIM_EXPECT_SAYS(notes_of(*graph), "IR version 77");
  OnnxModel old(6);
  add_small_network(old);
  set_integer(old.node("Add", {"y", "y"}, {"z"}), "broadcast", 1);
  const auto old_graph = old.import();
  ASSERT_TRUE(old_graph.ok()) << old_graph.error().line();
  PLIM_EXPECT_SAYS(notes_of(*old_graph), "opset 6 is older than 7");
  EXPECT_EQ(old_graph->nodes.back().op_name, "Add-6");
}

TEST(OnnxErrors, Row15NoOpset) {
  OnnxModel model(0);
  add_small_network(model);
  PLIM_EXPECT_SAYS(failure(model), "no opset_import");
}

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
  PLIM_EXPECT_SAYS(message, "--dim");
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
  PLIM_EXPECT_SAYS(graph.error().line(), "1,000 nodes, the limit is 999 (raise it with --max-nodes 1000)");
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
  PLIM_EXPECT_SAYS(notes_of(*graph), "NaN or infinity, first 'scale'");
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
