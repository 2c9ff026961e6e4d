// Graphs that contradict themselves: the message says what and where, and nothing crashes.
// The numbers are those of the list of bad inputs that the project keeps.
#include "base/field_mark.h"
#include "tests/error/onnx_failure.h"

namespace plimsoll {
namespace {

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
  PLIM_EXPECT_SAYS(failure(model), "raise it with " + named("max_nodes"));
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

}  // namespace
}  // namespace plimsoll
