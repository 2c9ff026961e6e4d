// What cannot run is refused when the step is lowered, by every backend in the same words.
#include "run/exec/reference_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "run/exec/backend.h"

namespace plimsoll {
namespace {

ValueId add_step_input(Program& program, DType type, Shape shape) {
  const ValueId id = program.add({"x", Role::input, TensorType{type, std::move(shape)}, nullptr});
  program.inputs.push_back(id);
  return id;
}

std::vector<ValueId> add_step_node(Program& program, const char* op, std::vector<ValueId> inputs,
                                   const Attributes& attributes = {}) {
  Operation operation;
  operation.op = &op_named(op);
  operation.op_name = op;
  operation.name = std::string("my_") + op;
  operation.inputs = std::move(inputs);
  operation.attributes = attributes;
  const auto outputs = append(program, std::move(operation), 1);
  EXPECT_TRUE(outputs.ok()) << outputs.error().line();
  if (outputs.ok()) program.outputs = {(*outputs)[0]};
  return outputs.ok() ? *outputs : std::vector<ValueId>{};
}

void expect_lowering_refused(const Program& program, const std::string& message) {
  for (const Backend* backend : all_backends()) {
    const auto lowered = backend->lowering(1)->lower(program);
    ASSERT_FALSE(lowered.ok()) << backend->name();
    EXPECT_NE(lowered.error().line().find(message), std::string::npos) << lowered.error().line();
  }
}

TEST(ReferenceStep, FormatsThatNothingComputesWithAreRefusedBeforeTheRun) {
  constexpr int64_t kBfloat16 = 16, kFloat = 1;
  Program program;
  const ValueId x = add_step_input(program, DType::f32, {2, 3});
  const auto half = add_step_node(program, "cast", {x}, {{"to", kBfloat16}});
  add_step_node(program, "cast", half, {{"to", kFloat}});
  expect_lowering_refused(program, "node 'my_cast': operation 'cast' works on bf16");
}

TEST(ReferenceStep, MathsThatDeclinesItsTypesIsRefusedBeforeTheRun) {
  Program program;
  const ValueId x = add_step_input(program, DType::i64, {2, 3});
  add_step_node(program, "sin", {x});
  expect_lowering_refused(program, "node 'my_sin': operation 'sin' has no maths for these types");
}

// What only the data decides cannot be refused before; it must not be passed over either.
TEST(ReferenceStep, WhatTheDataRulesOutIsNotANumber) {
  Program program;
  const ValueId x = add_step_input(program, DType::f32, {2, 3}), axis = add_step_input(program, DType::i64, {});
  add_step_node(program, "cum_sum", {x, axis});
  for (const Backend* backend : all_backends()) {
    auto executor = make_executor(*backend, program, 1);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    (*executor)->write(x, Tensor(TensorType{DType::f32, {2, 3}}).bytes);
    (*executor)->write(axis, integer_scalar(7).bytes);
    (*executor)->compute();
    Tensor sums(TensorType{DType::f32, {2, 3}});
    (*executor)->read(program.outputs[0], sums.bytes);
    for (const double number : sums.doubles()) EXPECT_TRUE(std::isnan(number)) << backend->name();
    EXPECT_EQ((*executor)->first_not_finite(), "my_cum_sum");
  }
}

}  // namespace
}  // namespace plimsoll
