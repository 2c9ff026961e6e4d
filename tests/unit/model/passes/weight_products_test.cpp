// Products with a weight in a training step: one gradient for all samples, and transposed weights read as they are
// stored. Sizes and numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 3;

struct ProductNet {
  std::string what;
  SymbolicShape x;
  Shape w;
  std::vector<int64_t> turn;  // perm of a transpose of the weight; empty: none
  bool weight_first = false;
  Attributes attributes = {};
};

// The weight is larger than a sample in each, so that a gradient for every sample would be the largest tensor.
std::vector<ProductNet> nets() {
  const Dim n("N");
  return {{"matrix", {n, 2, 7}, {7, 9}, {}},
          {"matrix in a stack of one", {n, 2, 7}, {1, 7, 9}, {}},
          {"four axes", {n, 2, 2, 7}, {7, 19}, {}},
          {"transposed data", {n, 7, 2}, {7, 9}, {}, false, {{"transA", int64_t{1}}}},
          {"weight on the left", {n, 9, 2}, {7, 9}, {}, true},
          {"transposed weight", {n, 2, 7}, {9, 7}, {1, 0}},
          {"transposed stack of one", {n, 2, 7}, {1, 9, 7}, {0, 2, 1}},
          {"transposed on the left", {n, 9, 2}, {9, 7}, {1, 0}, true}};
}

Program step_of(const ProductNet& net, StepOptions options = {}) {
  SmallGraph made;
  const ValueId x = made.input("x", net.x), w = made.parameter("w", net.w);
  const ValueId turned = net.turn.empty() ? w : made.node("turn", "transpose", {w}, {{"perm", net.turn}});
  std::vector<ValueId> operands{x, turned};
  if (net.weight_first) std::swap(operands[0], operands[1]);
  const ValueId y = made.node("y", "matmul", operands, net.attributes);
  const auto graph = made.finish({y});
  options.optimizer = *find_optimizer("sgd");
  options.loss = Loss::mean_squared_error;
  auto forward = bind(*graph, {.batch = kBatch, .parameters = DType::f64, .activations = DType::f64});
  EXPECT_TRUE(forward.ok()) << forward.error().line();
  auto step = make_step(std::move(forward).value(), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

const Operation& update_of(const Program& step) {
  return *std::find_if(step.operations.begin(), step.operations.end(),
                       [](const Operation& operation) { return operation.phase == Phase::update; });
}

class WeightProduct : public testing::TestWithParam<ProductNet> {};

TEST_P(WeightProduct, HasNoGradientForEachSample) {
  const Program step = step_of(GetParam());
  Count largest = GetParam().w.elements();
  for (const ValueId id : step.inputs) largest = std::max(largest, step.value(id).type->elements());
  for (const auto& operation : step.operations)
    for (const ValueId id : operation.outputs)
      if (id.present()) {
        EXPECT_LE(step.value(id).type->elements(), largest) << operation.name << " " << operation.op_name;
      }
}

TEST_P(WeightProduct, TakesNoCopyOfTheWeight) {
  const Program step = step_of(GetParam());
  for (const auto& operation : step.operations)
    EXPECT_FALSE(operation.op_name == "transpose" && step.value(operation.inputs[0]).role == Role::parameter);
  const Operation& update = update_of(step);
  const int64_t products = std::count_if(
      step.operations.begin(), step.operations.end(),
      [](const Operation& operation) { return operation.phase == Phase::backward && operation.op_name == "matmul"; });
  EXPECT_EQ(products, 1);
  EXPECT_EQ(step.value(update.inputs[1]).type->shape, GetParam().w);
}

TEST_P(WeightProduct, GradientAgreesWithFiniteDifferences) {
  const Program step = step_of(GetParam());
  const Operation& update = update_of(step);
  ProgramRun base(step);
  base.fill(5);
  base.run();
  const Tensor gradient = base.get(update.inputs[1]);
  for (size_t place = 0; place < gradient.size(); place += 5) {
    double loss[2] = {};
    for (const int side : {0, 1}) {
      ProgramRun moved(step);
      moved.fill(5);
      Tensor weight = moved.get(update.inputs[0]);
      weight.as<double>()[place] += side == 0 ? -1e-5 : 1e-5;
      moved.set(update.inputs[0], weight);
      moved.run();
      loss[side] = moved.loss();
    }
    EXPECT_NEAR(gradient.as<double>()[place], (loss[1] - loss[0]) / 2e-5, 1e-7) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Nets, WeightProduct, testing::ValuesIn(nets()), [](const auto& info) {
  std::string name = info.param.what;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

// Where something else than a product reads a transposed weight, frameworks look at it with other strides; our own
// engine copies it.
TEST(WeightViews, TakeNoMemoryInFrameworks) {
  SmallGraph made;
  const ValueId x = made.input("x", {Dim("N"), 4, 5}), w = made.parameter("w", {5, 4});
  const auto graph = made.finish({made.node("y", "mul", {x, made.node("turn", "transpose", {w})})});
  for (const Overwriting overwriting : {Overwriting::as_written, Overwriting::wherever_possible}) {
    StepOptions options;
    options.overwriting = overwriting;
    const auto step = make_step(*bind(*graph, {.batch = 2}), options);
    ASSERT_TRUE(step.ok()) << step.error().line();
    const ValueId home = value_named(*step, "turn")->storage;
    EXPECT_EQ(home.present(), overwriting == Overwriting::as_written);
    if (home.present()) {
      EXPECT_EQ(step->value(home).name, "w");
    }
  }
}

// A reshape of transposed numbers needs them in their new order.
TEST(WeightViews, AreCopiedWhereTheyAreReshapedAfterwards) {
  SmallGraph made;
  const ValueId x = made.input("x", {Dim("N"), 20}), w = made.parameter("w", {5, 4});
  const ValueId flat =
      made.node("flat", "reshape", {made.node("turn", "transpose", {w})}, {{"shape", std::vector<int64_t>{20}}});
  const auto graph = made.finish({made.node("y", "mul", {x, flat})});
  StepOptions options;
  options.overwriting = Overwriting::as_written;
  const auto step = make_step(*bind(*graph, {.batch = 2}), options);
  ASSERT_TRUE(step.ok()) << step.error().line();
  EXPECT_FALSE(value_named(*step, "turn")->storage.present());
}

}  // namespace
}  // namespace plimsoll
