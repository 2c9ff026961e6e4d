// A file is seen as its network trains: norms that were folded are put back, tied weights are one, tables and masks are
// not learned, layers are named after their modules.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "model/ir/bind.h"
#include "tests/onnx_model.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

// Numbers of its own for each tensor, or of `like`.
void fill(onnx::TensorProto& tensor, int seed) {
  std::string& raw = *tensor.mutable_raw_data();
  for (size_t i = 0; i < raw.size() / 4; ++i) {
    const float number = float((i * 7919 + size_t(seed) * 104729) % 1000) / 1000 - 0.5F;
    std::memcpy(&raw[i * 4], &number, 4);
  }
}

// Node metadata is newer than the schema that we are built with: field 9, an entry of key and value.
void add_metadata(onnx::NodeProto& node, const std::string& key, const std::string& value) {
  node.mutable_unknown_fields()->append(
      prefixed(char(9 << 3 | 2), prefixed(1 << 3 | 2, key) + prefixed(2 << 3 | 2, value)));
}

Graph imported(const OnnxModel& model) {
  auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  if (!graph.ok()) return {};
  EXPECT_TRUE(validate(*graph).ok()) << validate(*graph).error().line();
  return *std::move(graph);
}

bool notes(const Graph& graph, const std::string& what) {
  return std::any_of(graph.notes.begin(), graph.notes.end(),
                     [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

int64_t count(const Graph& graph, std::string_view op) {
  return std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) { return node.op_name == op; });
}

void add_convolution(OnnxModel& model, const std::string& weight, const std::string& bias) {
  model.input("x", {"batch", 3, 8, 8});
  model.weight(weight, {4, 3, 3, 3});
  model.weight(bias, {4});
  model.node("Conv", {"x", weight, bias}, {"c"}, "node_Conv_7");
  model.node("Relu", {"c"}, {"y"}, "relu");
  model.output("y");
}

TEST(TrainingView, NormsFoldedByTheOptimizerArePutBack) {
  OnnxModel model(18);
  add_convolution(model, "layer1.conv1.weight", "layer1.conv1.weight_bias");
  auto& conv = *model.graph.mutable_node(0);
  add_metadata(conv, "pkg.onnxscript.rewriter.rule_name", "FuseBatchNormIntoConv");
  add_metadata(conv, "pkg.torch.onnx.name_scopes", "['', 'layer1', 'layer1.bn1', '_native_batch_norm_1']");
  const Graph graph = imported(model);
  EXPECT_EQ(count(graph, "batch_norm"), 1);
  EXPECT_TRUE(notes(graph, "folded a batch norm"));
  const auto program = bind(graph, {.batch = 1});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), 4 * 3 * 3 * 3 + 4 + 4) << "scale and shift, and no bias beside them";
  EXPECT_EQ(graph.nodes[0].name, "layer1.conv1");
  EXPECT_EQ(graph.nodes[1].name, "layer1.bn1");
}

TEST(TrainingView, NormsFoldedByTorchScriptArePutBack) {
  OnnxModel model(17);
  add_convolution(model, "onnx::Conv_193", "onnx::Conv_194");
  EXPECT_EQ(count(imported(model), "batch_norm"), 1);
}

TEST(TrainingView, AConvolutionWithItsOwnBiasIsLeftAlone) {
  OnnxModel model(17);
  add_convolution(model, "conv.weight", "conv.bias");
  const Graph graph = imported(model);
  EXPECT_EQ(count(graph, "batch_norm"), 0);
  EXPECT_TRUE(graph.notes.empty());
}

TEST(TrainingView, DeepNetworksWithoutAnyNormAreSaidToBeInferenceExports) {
  OnnxModel model(17);
  model.input("x", {"batch", 3, 8, 8});
  std::string last = "x";
  for (int i = 0; i < 24; ++i) {
    const std::string n = std::to_string(i);
    model.weight("w" + n, {3, 3, 3, 3});
    model.weight("b" + n, {3});
    set_integers(model.node("Conv", {last, "w" + n, "b" + n}, {"c" + n}, "conv" + n), "pads", {1, 1, 1, 1});
    model.node("Add", {"c" + n, last}, {"s" + n}, "add" + n);
    last = "s" + n;
  }
  model.output(last);
  EXPECT_TRUE(notes(imported(model), "optimize=False"));
}

TEST(TrainingView, TiedWeightsAreOne) {
  OnnxModel model(17);
  model.input("ids", {"batch", 5}, onnx::TensorProto::INT64);
  fill(model.weight("table", {40, 8}), 1);
  fill(model.weight("head", {8, 40}), 2);
  const auto& table = model.graph.initializer(0);
  auto& head = *model.graph.mutable_initializer(1)->mutable_raw_data();
  for (size_t row = 0; row < 40; ++row)
    for (size_t column = 0; column < 8; ++column)
      std::memcpy(&head[(column * 40 + row) * 4], &table.raw_data()[(row * 8 + column) * 4], 4);
  fill(model.weight("other", {8, 40}), 3);
  model.node("Gather", {"table", "ids"}, {"e"}, "embed");
  model.node("MatMul", {"e", "head"}, {"a"}, "head");
  model.node("MatMul", {"e", "other"}, {"b"}, "other");
  model.node("Add", {"a", "b"}, {"y"}, "sum");
  model.output("y");
  const Graph graph = imported(model);
  EXPECT_TRUE(notes(graph, "counted once, first 'head'")) << (graph.notes.empty() ? "no notes" : graph.notes[0]);
  const auto program = bind(graph, {.batch = 1});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), 2 * 40 * 8);
}

// The decoder of an autoencoder is its encoder's weight, turned; the exporter has turned it once more for the encoder.
TEST(TrainingView, AWeightAndItsModulesTurnedCopyAreOne) {
  for (const std::string module : {"encoder", "other"}) {
    OnnxModel model(17);
    model.input("x", {"batch", 40});
    fill(model.weight("encoder.weight", {8, 40}), 1);
    fill(model.weight("onnx::MatMul_7", {40, 8}), 2);
    const auto& named = model.graph.initializer(0);
    auto& turned = *model.graph.mutable_initializer(1)->mutable_raw_data();
    for (size_t row = 0; row < 8; ++row)
      for (size_t column = 0; column < 40; ++column)
        std::memcpy(&turned[(column * 8 + row) * 4], &named.raw_data()[(row * 40 + column) * 4], 4);
    model.node("MatMul", {"x", "onnx::MatMul_7"}, {"h"}, "/" + module + "/MatMul");
    model.node("MatMul", {"h", "encoder.weight"}, {"y"}, "/MatMul");
    model.output("y");
    const auto program = bind(imported(model), {.batch = 1});
    ASSERT_TRUE(program.ok()) << program.error().line();
    EXPECT_EQ(parameters(*program), (module == "encoder" ? 1 : 2) * 40 * 8);
  }
}

TEST(TrainingView, EqualButUniformTensorsAreNotTied) {
  OnnxModel model(17);
  model.input("x", {"batch", 80});
  for (const char* name : {"scale1", "scale2"}) model.weight(name, {80});
  model.node("Mul", {"x", "scale1"}, {"a"}, "first");
  model.node("Mul", {"a", "scale2"}, {"y"}, "second");
  model.output("y");
  const auto program = bind(imported(model), {.batch = 1});
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(parameters(*program), 160);
}

TEST(TrainingView, MasksAndAnglesAreNotLearned) {
  OnnxModel model(17);
  model.input("x", {"batch", 4, 6});
  auto& mask = model.weight("mask", {4, 6});
  const float hidden = -1e9F;
  std::memcpy(&(*mask.mutable_raw_data())[20], &hidden, 4);
  auto& cosines = model.weight("unsqueeze_3", {4, 6});
  for (size_t i = 0; i < 24; ++i) {
    const float number = i < 6 ? 1.0F : float(i) / 30;
    std::memcpy(&(*cosines.mutable_raw_data())[i * 4], &number, 4);
  }
  fill(model.weight("bias", {4, 6}), 5);
  model.node("Add", {"x", "mask"}, {"a"}, "hide");
  model.node("Mul", {"a", "unsqueeze_3"}, {"b"}, "turn");
  model.node("Add", {"b", "bias"}, {"y"}, "learned");
  model.output("y");
  const auto program = bind(imported(model), {.batch = 1});
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(parameters(*program), 24) << "the bias alone";
}

void fill_with(onnx::TensorProto& tensor, const std::vector<float>& row) {
  std::string& raw = *tensor.mutable_raw_data();
  for (size_t i = 0; i < raw.size() / 4; ++i) std::memcpy(&raw[i * 4], &row[i % row.size()], 4);
}

// A norm without a scale has one of ones in a file; one that is learned may start so, under its own name or beside a
// shift.
TEST(TrainingView, TheScaleOfANormWithoutOneIsNotLearned) {
  OnnxModel model(17);
  model.input("x", {"batch", 4});
  for (const char* name : {"val_107", "norm.weight", "val_108"}) fill_with(model.weight(name, {4}), {1});
  fill_with(model.weight("val_109", {4}), {1, 2});
  model.weight("shift", {4});
  model.node("LayerNormalization", {"x", "val_107"}, {"a"});
  model.node("LayerNormalization", {"a", "norm.weight"}, {"b"});
  model.node("LayerNormalization", {"b", "val_108", "shift"}, {"c"});
  model.node("LayerNormalization", {"c", "val_109"}, {"y"});
  model.output("y");
  const Graph graph = imported(model);
  for (const char* name : {"val_107", "norm.weight", "val_108", "val_109"}) {
    const auto found =
        std::find_if(graph.values.begin(), graph.values.end(), [&](const Value& value) { return value.name == name; });
    ASSERT_NE(found, graph.values.end()) << name;
    EXPECT_EQ(found->role, std::string_view(name) == "val_107" ? Role::constant : Role::parameter) << name;
  }
}

// The type of every token is one row of a table, which the exporter has looked up for each.
TEST(TrainingView, ARowThatIsTheSameAtEachPositionIsStoredOnce) {
  OnnxModel model(17);
  model.input("x", {2, 6, 4});
  fill_with(model.weight("embedding_1", {2, 6, 4}), {0.5F, -1, 2, 3});
  fill(model.weight("embedding_2", {1, 6, 4}), 1);
  fill_with(model.weight("embedding_3", {1, 6, 4}), {0.25F});  // one number: how a parameter may start
  model.node("Add", {"x", "embedding_1"}, {"a"});
  model.node("Add", {"a", "embedding_2"}, {"b"});
  model.node("Add", {"b", "embedding_3"}, {"y"});
  model.output("y");
  const auto program = bind(imported(model), {.batch = 3});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), 4 + 24 + 24);
}

// What reads it by itself makes its own shape of it.
TEST(TrainingView, ATableThatMeetsNothingKeepsItsRows) {
  OnnxModel model(17);
  model.input("x", {"batch", 4, 6});
  fill_with(model.weight("embedding_1", {1, 6, 4}), {0.5F, -1, 2, 3});
  model.node("Neg", {"embedding_1"}, {"rows"});
  model.node("MatMul", {"x", "rows"}, {"y"});
  model.output("y");
  const auto program = bind(imported(model), {.batch = 3});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), 24);
}

TEST(TrainingView, FrequenciesThatMultiplyPositionsAreNotLearned) {
  OnnxModel model(17);
  model.input("positions", {"batch", 5}, onnx::TensorProto::INT64);
  fill(model.weight("inv_freq", {1, 8}), 1);
  fill(model.weight("w", {8, 3}), 2);
  set_integer(model.node("Cast", {"positions"}, {"p"}, "cast"), "to", onnx::TensorProto::FLOAT);
  model.integers("last", {-1});
  model.node("Unsqueeze", {"p", "last"}, {"u"}, "unsqueeze");
  model.node("MatMul", {"u", "inv_freq"}, {"angles"}, "angles");
  model.node("Cos", {"angles"}, {"c"}, "cos");
  model.node("MatMul", {"c", "w"}, {"y"}, "linear");
  model.output("y");
  const auto program = bind(imported(model), {.batch = 1});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), 24);
}

TEST(TrainingView, LayersAreNamedAfterTheirModules) {
  OnnxModel model(18);
  model.input("x", {"batch", 8});
  auto& first = model.node("Relu", {"x"}, {"a"}, "node_relu");
  add_metadata(first, "pkg.torch.onnx.name_scopes", "['', 'block', 'block.act', 'relu']");
  add_metadata(first, "pkg.torch.onnx.stack_trace", std::string(5000, 't'));
  auto& second = model.node("Add", {"a", "x"}, {"y"}, "node_add_3");
  add_metadata(second, "pkg.torch.onnx.name_scopes", "['', 'block', 'add_3']");
  model.output("y");
  const Graph graph = imported(model);
  EXPECT_EQ(graph.nodes[0].name, "block.act");
  EXPECT_EQ(graph.nodes[1].name, "block.add");
}

}  // namespace
}  // namespace plimsoll
