#include "model/ir/validate.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/ops/all_ops.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"

namespace plimsoll {
namespace {

// Each test breaks this step in one way.
class BrokenProgram : public testing::Test {
 protected:
  BrokenProgram() {
    Builder b("net", Shape{3, 8, 8});
    const ValueId x = b.relu("relu", b.conv("conv", b.input(), 4, {.kernel = {3, 3}}));
    const ValueId both =
        b.add("add", b.conv("left", x, 4, {.kernel = {1, 1}}), b.conv("right", x, 4, {.kernel = {1, 1}}));
    const Graph graph = *b.finish(b.linear("last", b.flatten("flat", both), 3));
    program = *make_step(*bind(graph, {.batch = 2}), {.optimizer = *find_optimizer("momentum"), .fuse = false});
    EXPECT_TRUE(validate(program).ok()) << validate(program).error().line();
  }

  Operation& operation(std::string_view op, Phase phase) {
    for (auto& each : program.operations)
      if (each.op_name == op && each.phase == phase) return each;
    ADD_FAILURE() << "no " << op;
    return program.operations[0];
  }
  Operation& forward(std::string_view op) { return operation(op, Phase::forward); }

  void expect_found(const std::string& part) {
    const Status status = validate(program);
    ASSERT_FALSE(status.ok()) << "it was not found";
    EXPECT_NE(status.error().line().find(part), std::string::npos) << status.error().line();
  }

  Program program;
};

TEST_F(BrokenProgram, AnIdBeyondTheValues) {
  forward("relu").inputs[0] = {int32_t(program.values.size())};
  expect_found("but there are");
}

TEST_F(BrokenProgram, AnOutputOfTheProgramThatIsNoValue) {
  program.outputs[0] = {};
  expect_found("an output is %-1");
}

TEST_F(BrokenProgram, AValueReadBeforeItIsWritten) {
  std::swap(program.operations[0], program.operations[1]);
  expect_found("writes only then");
}

TEST_F(BrokenProgram, AValueThatNobodyWrites) {
  const ValueId id = program.add({"lost", Role::activation, program.value(forward("relu").inputs[0]).type, nullptr});
  forward("relu").inputs[0] = id;
  expect_found("which nobody writes");
}

TEST_F(BrokenProgram, AnOperationThatReadsItsOwnResult) {
  forward("add").inputs[1] = forward("add").outputs[0];
  expect_found("writes only then");
}

TEST_F(BrokenProgram, TwoWriters) {
  forward("relu").outputs[0] = forward("conv").outputs[0];
  expect_found("written a second time");
}

TEST_F(BrokenProgram, AShapeThatIsNotTheRules) {
  program.value(forward("conv").outputs[0]).type->shape = Shape{2, 4, 7, 7};
  expect_found("by its shape rule it is f32 2x4x6x6");
}

TEST_F(BrokenProgram, ATypeThatIsNotTheRules) {
  program.value(forward("add").outputs[0]).type->dtype = DType::f64;
  program.value(forward("add").outputs[0]).storage = {};
  expect_found("is f64 2x4x6x6, by its shape rule it is f32");
}

TEST_F(BrokenProgram, InputsThatTheRuleRefuses) {
  forward("conv").attributes.set("group", int64_t{2});
  expect_found("its shape rule");
}

TEST_F(BrokenProgram, ContentsThatAreNotOfTheValuesType) {
  const auto number = std::make_shared<const Tensor>(integer_tensor({1, 2}));
  program.add({"number", Role::constant, TensorType{DType::i64, {3}}, number});
  expect_found("its contents are int64 2");
}

TEST_F(BrokenProgram, MemorySharedByTwoLiveValues) {
  const ValueId left = forward("add").inputs[0], right = forward("add").inputs[1];
  program.value(left).storage = {};
  program.value(right).storage = left;
  expect_found("has been written to since");
}

TEST_F(BrokenProgram, MemoryThatIsTooSmall) {
  program.value(forward("conv").outputs[0]).storage = program.loss;
  expect_found("bytes and lies in");
}

TEST_F(BrokenProgram, MemoryThatLiesInItself) {
  const ValueId id = forward("conv").outputs[0];
  program.value(id).storage = id;
  expect_found("lies in memory that lies in its own");
}

TEST_F(BrokenProgram, AParameterThatIsNotWrittenByAnUpdate) {
  const ValueId weights = forward("conv").inputs[1];
  const ValueId copy = program.add({"copy", Role::activation, program.value(weights).type, nullptr, weights});
  Operation negated;
  negated.op = find_op("neg");
  negated.op_name = "neg";
  negated.inputs = {weights};
  negated.outputs = {copy};
  program.operations.insert(program.operations.begin(), negated);
  expect_found("only an update may");
}

TEST_F(BrokenProgram, StateThatIsNotCarriedToTheNextStep) {
  Operation& update = operation("momentum_update", Phase::update);
  program.value(update.outputs[1]).storage = {};
  expect_found("is lost after the step");
}

TEST_F(BrokenProgram, AStateInTheMemoryOfItsParameter) {
  Operation& update = operation("momentum_update", Phase::update);
  program.value(update.outputs[1]).storage = update.outputs[0];
  expect_found("is lost after the step");
}

TEST_F(BrokenProgram, AnOutputThatIsOverwritten) {
  const ValueId output = program.outputs[0];
  const ValueId late = program.add({"late", Role::activation, program.value(output).type, nullptr, output});
  Operation negated;
  negated.op = find_op("neg");
  negated.op_name = "neg";
  negated.inputs = {output};
  negated.outputs = {late};
  program.operations.push_back(negated);
  expect_found("is overwritten before the step ends");
}

TEST_F(BrokenProgram, AnOutputThatIsNeverWritten) {
  program.outputs[0] = program.add({"lost", Role::activation, TensorType{DType::f32, {2}}, nullptr});
  expect_found("is never written");
}

TEST_F(BrokenProgram, ABackwardPassOfNothing) {
  program.loss = {};
  expect_found("a backward pass but no loss");
}

TEST_F(BrokenProgram, ABatchOfNothing) {
  program.batch = 0;
  expect_found("the batch is 0");
}

TEST_F(BrokenProgram, AnOperationThatNeverRuns) {
  forward("relu").repeat = Count(0);
  expect_found("it never runs");
}

}  // namespace
}  // namespace plimsoll
