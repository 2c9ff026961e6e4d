// Steps of a small network by their numbers: gradients against finite differences through the whole network, and the
// same gradients whatever passes have done.
#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"

namespace plimsoll {
namespace {

// Convolution, batch norm with a ReLU and with a clip behind it, a residual addition, a concatenation, both poolings,
// dropout, two dense layers.
Graph small_network() {
  Builder b("small", {2, 6, 6});
  const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}};
  ValueId x = b.conv("conv1", b.input(), 4, same);
  x = b.relu("relu1", b.batch_norm("bn1", x));
  ValueId side = b.batch_norm("bn2", b.conv("conv2", x, 4, same));
  side = b.apply("clip", "clip",
                 {side, b.constant("min", float_tensor({}, {-0.4F})), b.constant("max", float_tensor({}, {0.6F}))});
  x = b.relu("relu2", b.add("add", side, x));
  x = b.concat("concat", {x, side});
  x = b.max_pool("pool", x, {.kernel = {2, 2}});
  x = b.dropout("dropout", x, 0.25);
  x = b.flatten("flatten", b.global_average_pool("gap", x));
  x = b.relu("relu3", b.linear("fc1", x, 5));
  auto graph = b.finish({b.linear("fc2", x, 3)});
  EXPECT_TRUE(graph.ok());
  return *graph;
}

Program step(int64_t batch, StepOptions options) {
  options.optimizer = *find_optimizer("sgd");
  auto forward = bind(small_network(), {.batch = batch, .parameters = DType::f64, .activations = DType::f64});
  EXPECT_TRUE(forward.ok()) << forward.error().line();
  auto made = make_step(*forward, options);
  EXPECT_TRUE(made.ok()) << made.error().line();
  return *made;
}

// The input of an update is the complete gradient.
ValueId gradient_of(const Program& program, const std::string& parameter) {
  for (const auto& operation : program.operations)
    if (operation.phase == Phase::update && program.value(operation.inputs[0]).name == parameter)
      return operation.inputs[1];
  ADD_FAILURE() << parameter << " is not updated";
  return {};
}

ValueId value_named(const Program& program, const std::string& name) {
  for (size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].name == name && program.values[i].role == Role::parameter) return {int32_t(i)};
  ADD_FAILURE() << name << " is not there";
  return {};
}

const char* const kParameters[] = {"conv1.weight", "bn1.weight", "bn1.bias",   "conv2.weight", "conv2.bias",
                                   "bn2.weight",   "bn2.bias",   "fc1.weight", "fc1.bias",     "fc2.weight"};

TEST(StepValues, GradientsAgreeWithFiniteDifferencesThroughTheNetwork) {
  const Program program = step(3, {});
  ProgramRun base(program);
  base.fill(1);
  base.run();
  for (const std::string name : kParameters) {
    const ValueId parameter = value_named(program, name);
    const Tensor gradient = base.get(gradient_of(program, name));
    for (size_t place = 0; place < gradient.size(); place += 1 + gradient.size() / 5) {
      double loss[2] = {};
      for (const int side : {0, 1}) {
        ProgramRun moved(program);
        moved.fill(1);
        Tensor tensor = moved.get(parameter);
        tensor.as<double>()[place] += side == 0 ? -1e-5 : 1e-5;
        moved.set(parameter, tensor);
        moved.run();
        loss[side] = moved.loss();
      }
      EXPECT_NEAR(gradient.as<double>()[place], (loss[1] - loss[0]) / 2e-5, 1e-6) << name << " at " << place;
    }
  }
}

void expect_same_gradients(const Program& a, const Program& b) {
  ProgramRun first(a), second(b);
  first.fill(1);
  second.fill(1);
  first.run();
  second.run();
  EXPECT_NEAR(first.loss(), second.loss(), 1e-12);
  for (const std::string name : kParameters) {
    const auto x = first.get(gradient_of(a, name)).doubles(), y = second.get(gradient_of(b, name)).doubles();
    ASSERT_EQ(x.size(), y.size());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12) << name;
  }
}

TEST(StepValues, FusionLeavesGradientsAsTheyWere) {
  StepOptions plain;
  plain.fuse = false;
  expect_same_gradients(step(3, plain), step(3, {}));
}

TEST(StepValues, RecomputationLeavesGradientsAsTheyWere) {
  for (const double share : {0.05, 0.5, 1.0}) {
    StepOptions again;
    again.recompute = share;
    const Program recomputed = step(3, again);
    EXPECT_GT(recomputed.operations.size(), step(3, {}).operations.size()) << share;
    expect_same_gradients(step(3, {}), recomputed);
  }
}

}  // namespace
}  // namespace plimsoll
