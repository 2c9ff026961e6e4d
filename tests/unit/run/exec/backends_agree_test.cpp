// Uses of single operations on which backends have differed: each is computed by all of them, and compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_training.h"
#include "run/exec/backend.h"

namespace plimsoll {
namespace {

using Ints = std::vector<int64_t>;

ValueId add_single_value(Program& program, Role role, Shape shape) {
  const ValueId id = program.add({"v", role, TensorType{DType::f32, std::move(shape)}, nullptr});
  if (role == Role::input) program.inputs.push_back(id);
  return id;
}

void add_single_node(Program& program, const Op& op, std::vector<ValueId> inputs, const Attributes& attributes,
                     size_t outputs = 1) {
  Operation operation;
  operation.op = &op;
  operation.op_name = op.name;
  operation.name = "node";
  operation.inputs = std::move(inputs);
  operation.attributes = attributes;
  const auto results = append(program, std::move(operation), outputs);
  ASSERT_TRUE(results.ok()) << results.error().line();
  program.outputs = {(*results)[0]};
}

// Small numbers of both signs that follow from their place; variances are positive.
Tensor numbers_by_place(const ProgramValue& value, size_t which) {
  Tensor tensor(*value.type);
  for (size_t i = 0; i < tensor.size(); ++i) {
    const float number = float((i * 7 + which * 5) % 11) / 4 - 1.2F;
    tensor.as<float>()[i] = value.role == Role::buffer ? number + 1.5F : number;
  }
  return tensor;
}

std::vector<double> computed_by(const Backend& backend, const Program& program) {
  auto executor = make_executor(backend, program, 1);
  EXPECT_TRUE(executor.ok()) << executor.error().line();
  if (!executor.ok()) return {};
  for (size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].role != Role::activation)
      (*executor)->write({int32_t(i)}, numbers_by_place(program.values[i], i).bytes);
  (*executor)->compute();
  Tensor result(*program.value(program.outputs[0]).type);
  (*executor)->read(program.outputs[0], result.bytes);
  return result.doubles();
}

void expect_backends_agree(const Program& program) {
  const auto first = computed_by(*all_backends()[0], program), last = computed_by(*all_backends().back(), program);
  ASSERT_EQ(first.size(), last.size());
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_NEAR(first[i], last[i], 1e-5 * std::max(1.0, std::abs(last[i]))) << "at " << i;
}

// Windows that lie wholly in the padding, before the input or after it.
TEST(BackendsAgree, OnPoolsWithoutANumberInAWindow) {
  for (const char* op : {"max_pool", "average_pool"}) {
    Program program;
    const ValueId x = add_single_value(program, Role::input, {1, 2, 3, 3});
    add_single_node(program, op_named(op), {x},
                    {{"kernel_shape", Ints{1, 2}}, {"pads", Ints{1, 1, 2, 0}}, {"strides", Ints{1, 2}}});
    expect_backends_agree(program);
  }
}

TEST(BackendsAgree, OnAScaledProductWithABias) {
  Program program;
  const ValueId x = add_single_value(program, Role::input, {2, 3});
  const ValueId weights = add_single_value(program, Role::parameter, {3, 4}),
                bias = add_single_value(program, Role::parameter, {4});
  add_single_node(program, op_named("gemm"), {x, weights, bias}, {{"alpha", 0.5}});
  expect_backends_agree(program);
}

// Planes of one number look as if the channels were last, however many there are.
TEST(BackendsAgree, OnANormOfPlanesOfOneNumber) {
  for (const int64_t channels : {3, 16, 24}) {
    Program program;
    const ValueId x = add_single_value(program, Role::input, {2, channels, 1});
    const ValueId scale = add_single_value(program, Role::parameter, {channels}),
                  bias = add_single_value(program, Role::parameter, {channels}),
                  mean = add_single_value(program, Role::buffer, {channels}),
                  variance = add_single_value(program, Role::buffer, {channels});
    add_single_node(program, op_named("batch_norm"), {x, scale, bias, mean, variance}, {});
    expect_backends_agree(program);
  }
}

// As it runs a second time for the backward pass: its statistics were taken the first time.
TEST(BackendsAgree, OnANormWhoseStatisticsNobodyAsksFor) {
  Program program;
  const ValueId x = add_single_value(program, Role::input, {4, 3, 2, 2});
  const ValueId scale = add_single_value(program, Role::parameter, {3}),
                bias = add_single_value(program, Role::parameter, {3}),
                mean = add_single_value(program, Role::buffer, {3}),
                variance = add_single_value(program, Role::buffer, {3});
  add_single_node(program, batch_norm_train(), {x, scale, bias, mean, variance}, {}, 5);
  auto& outputs = program.operations.back().outputs;
  std::fill(outputs.begin() + 1, outputs.end(), ValueId{});
  expect_backends_agree(program);
}

}  // namespace
}  // namespace plimsoll
