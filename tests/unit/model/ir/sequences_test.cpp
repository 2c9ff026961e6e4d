// Lists of tensors: followed where the graph alone tells what is in them, unknown where it does not,
// an error where they are misused. And what subgraphs capture counts once.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

Result<Program> bound(const OnnxModel& model) {
  PLIM_ASSIGN(const Graph graph, model.import());
  return bind(graph, {});
}

Shape output_shape(const Program& program) { return program.value(program.outputs.at(0)).type.value().shape; }

int64_t stored_parameters(const Program& program) {
  Count sum;
  for (const auto& value : program.values)
    if (value.role == Role::parameter) sum += value.type->elements();
  return sum.value();
}

void condition(OnnxModel& model, const std::string& name, bool value) {
  auto& tensor = *model.graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::BOOL);
  tensor.add_int32_data(value);
}

TEST(Sequences, AreFollowedAndLeaveNoOperation) {
  OnnxModel model;
  model.input("a", {1, 2});
  model.input("b", {1, 3});
  model.input("c", {1, 4});
  model.integers("zero", {0});
  model.integers("last", {-1});
  model.node("SequenceConstruct", {"a", "b"}, {"ab"});
  model.node("SequenceInsert", {"ab", "c", "zero"}, {"cab"});
  model.node("SequenceErase", {"cab", "last"}, {"ca"});
  model.node("SequenceAt", {"ca", "zero"}, {"first"});
  model.node("Relu", {"first"}, {"y"});
  model.node("SequenceLength", {"ca"}, {"length"});
  model.output("y");
  model.output("length");
  const auto program = bound(model);
  ASSERT_TRUE(program.ok()) << program.error().line();
  ASSERT_EQ(program->operations.size(), 1u);
  EXPECT_EQ(output_shape(*program), (Shape{1, 4}));
  const auto& length = program->value(program->outputs[1]);
  ASSERT_NE(length.constant, nullptr);
  EXPECT_EQ(length.constant->integers(), std::vector<int64_t>{2});
}

TEST(Sequences, FilledByALoopAreKnown) {
  OnnxModel model;
  model.input("x", {2, 6});
  model.integers("rounds", {3});
  condition(model, "go", true);
  model.integers("one", {1});
  model.node("SequenceEmpty", {}, {"empty"});
  auto& loop = model.node("Loop", {"rounds", "go", "empty"}, {"all"});
  GraphMaker body{set_graph(loop, "body")};
  body.input("round", {}, onnx::TensorProto::INT64);
  body.input("goes", {}, onnx::TensorProto::BOOL);
  body.graph.add_input()->set_name("list");
  set_integer(body.node("Concat", {"x", "x"}, {"twice"}), "axis", 1);
  body.node("SequenceInsert", {"list", "twice"}, {"longer"});
  body.node("Identity", {"go"}, {"on"});
  body.output("on");
  body.output("longer");
  model.node("SequenceAt", {"all", "one"}, {"second"});
  model.node("Relu", {"second"}, {"y"});
  model.output("y");
  const auto program = bound(model);
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(output_shape(*program), (Shape{2, 12}));
  EXPECT_EQ(program->operations.size(), 4u) << "three rounds and the relu";
  for (const auto& operation : program->operations) EXPECT_EQ(operation.certainty, Certainty::exact);
}

TEST(Sequences, WithAnItemThatOnlyARunTellsAreUnknown) {
  OnnxModel model;
  model.input("x", {2, 6});
  model.input("which", {}, onnx::TensorProto::INT64);
  model.node("SequenceConstruct", {"x", "x"}, {"xx"});
  model.node("SequenceAt", {"xx", "which"}, {"y"}, "pick");
  model.output("y");
  const auto program = bound(model);
  ASSERT_TRUE(program.ok()) << program.error().line();
  ASSERT_EQ(program->operations.size(), 1u);
  EXPECT_EQ(program->operations[0].certainty, Certainty::unknown);
  EXPECT_EQ(program->operations[0].op_name, "sequence_at");
}

TEST(Sequences, RefuseAnItemThatIsNotThere) {
  for (const int64_t place : {2, -3}) {
    OnnxModel model;
    model.input("x", {2, 6});
    model.integers("place", {place});
    model.node("SequenceConstruct", {"x", "x"}, {"xx"});
    model.node("SequenceAt", {"xx", "place"}, {"y"}, "pick");
    model.output("y");
    const auto program = bound(model);
    ASSERT_FALSE(program.ok());
    EXPECT_NE(program.error().line().find("outside a sequence of 2"), std::string::npos) << program.error().line();
  }
}

TEST(Sequences, RefuseToTakeFromAnEmptyOne) {
  OnnxModel model;
  model.input("x", {2, 6});
  model.node("SequenceEmpty", {}, {"none"});
  model.node("SequenceErase", {"none"}, {"less"}, "erase");
  model.node("SequenceInsert", {"less", "x"}, {"y"});
  model.output("y");
  const auto program = bound(model);
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("empty sequence"), std::string::npos) << program.error().line();
}

TEST(Subgraphs, CountACapturedWeightOnce) {
  for (const bool known : {true, false}) {
    OnnxModel model;
    model.input("x", {2, 6});
    model.weight("w", {6, 5});
    if (known) condition(model, "flag", true);
    else model.input("flag", {}, onnx::TensorProto::BOOL);
    auto& choice = model.node("If", {"flag"}, {"y"}, "choice");
    for (const char* name : {"then_branch", "else_branch"}) {
      GraphMaker branch{set_graph(choice, name)};
      branch.node("MatMul", {"x", "w"}, {std::string(name) + "_y"});
      branch.output(std::string(name) + "_y");
    }
    model.output("y");
    const auto program = bound(model);
    ASSERT_TRUE(program.ok()) << program.error().line();
    EXPECT_EQ(stored_parameters(*program), 30);
    ASSERT_EQ(program->operations.size(), 1u);
    EXPECT_EQ(program->operations[0].cost.macs, Macs(60));
  }
}

// A branch may hand on a constant from outside; that it does so in one branch makes no variable of it.
TEST(Subgraphs, LeaveACapturedConstantKnown) {
  OnnxModel model;
  model.input("x", {2, 6});
  model.input("flag", {}, onnx::TensorProto::BOOL);
  model.integers("shape", {3, 4});
  auto& choice = model.node("If", {"flag"}, {"picked"}, "choice");
  for (const char* name : {"then_branch", "else_branch"}) {
    GraphMaker branch{set_graph(choice, name)};
    branch.output("shape");
  }
  model.node("Reshape", {"x", "shape"}, {"y"});
  model.output("y");
  model.output("picked");
  const auto program = bound(model);
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(output_shape(*program), (Shape{3, 4}));
}

}  // namespace
}  // namespace plimsoll
