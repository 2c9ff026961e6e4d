// What holds for every backend.
#include "run/exec/executor.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "tests/program_run.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Program step_of(const std::string& model, int64_t batch, const char* optimizer) {
  StepOptions options;
  if (optimizer) options.optimizer = find_optimizer(optimizer).value();
  auto step = make_step(zoo_program(model, {}, batch), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

// Random numbers, but for the step's own, which counts from 1.
void fill(ProgramRun& run, uint32_t seed) {
  run.fill(seed);
  for (const ValueId id : run.program().inputs)
    if (run.program().value(id).name == "step") run.set(id, integer_scalar(1));
}

bool comes_from_outside(Role role) {
  return role == Role::input || role == Role::parameter || role == Role::buffer || role == Role::state;
}

void fill(Executor& executor, const ProgramRun& run) {
  for (size_t i = 0; i < executor.program().values.size(); ++i) {
    const ValueId id{int32_t(i)};
    if (comes_from_outside(executor.program().values[i].role) && size_t(i) < run.program().values.size() && run.has(id))
      executor.write(id, run.get(id).bytes);
  }
}

std::vector<float> read(const Executor& executor, ValueId id) {
  std::vector<float> numbers(size_t(executor.program().value(id).type->elements().value()));
  executor.read(id, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

void expect_near(const std::vector<float>& ours, const Tensor& theirs, const std::string& what) {
  const auto numbers = theirs.doubles();
  double off = 0, norm = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    off += (ours[i] - numbers[i]) * (ours[i] - numbers[i]);
    norm += numbers[i] * numbers[i];
  }
  EXPECT_LE(std::sqrt(off), 1e-4 * std::sqrt(norm) + 1e-6) << what;
}

class Executors : public testing::TestWithParam<const Backend*> {};

TEST_P(Executors, StepAsByReferenceMaths) {
  for (const char* model : {"lenet5", "fmnist_cnn"}) {
    const Program step = step_of(model, 3, "momentum");
    ProgramRun run(step);
    fill(run, 7);
    auto executor = make_executor(*GetParam(), step, 2);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    fill(**executor, run);
    run.run();
    (*executor)->compute();
    EXPECT_NEAR(read(**executor, step.loss)[0], run.loss(), 1e-5 * run.loss()) << model;
    for (const auto& operation : step.operations)
      if (operation.phase == Phase::update)
        expect_near(read(**executor, operation.inputs[1]), run.get(operation.inputs[1]), operation.name);
    (*executor)->update();
    for (const auto& operation : step.operations)
      if (operation.phase == Phase::update)
        expect_near(read(**executor, operation.inputs[0]), run.get(operation.outputs[0]), operation.name);
  }
}

TEST_P(Executors, EvaluatesOnTheParametersOfTheTrainingStep) {
  const Program train = step_of("fmnist_cnn", 4, "momentum"), evaluate = step_of("fmnist_cnn", 4, nullptr);
  ProgramRun run(train), plain(evaluate);
  run.fill(7);
  plain.fill(7);
  auto host = make_executor(*GetParam(), train, 2);
  ASSERT_TRUE(host.ok()) << host.error().line();
  fill(**host, run);
  auto beside = GetParam()->compile_beside(evaluate, **host);
  ASSERT_TRUE(beside.ok()) << beside.error().line();
  (*beside)->write(evaluate.inputs[0], plain.get(evaluate.inputs[0]).bytes);
  (*beside)->compute();
  plain.run();
  expect_near(read(**beside, evaluate.outputs[0]), plain.get(evaluate.outputs[0]), "scores");
}

// Channels that only pad a block are zero, which such a clip would not leave.
TEST_P(Executors, ClipsBehindABatchNormThatLeaveOutZero) {
  Builder b("clipped", {3, 6, 6});
  ValueId x = b.batch_norm("norm", b.conv("conv", b.input(), 5, {.kernel = {3, 3}}));
  x = b.apply("clip", "clip", {x, b.constant("min", float_tensor({}, {1})), b.constant("max", float_tensor({}, {2}))});
  x = b.flatten("flatten", b.global_average_pool("pool", b.conv("last", x, 20, {.kernel = {1, 1}})));
  const auto graph = b.finish(b.linear("fc", x, 3));
  ASSERT_TRUE(graph.ok());
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  const auto step = make_step(*bind(*graph, {.batch = 4}), options);
  ASSERT_TRUE(step.ok());
  ProgramRun run(*step);
  fill(run, 7);
  for (const ValueId id : step->inputs)
    if (step->value(id).name == "learning_rate") run.set(id, float_tensor({}, {0.01F}));
  auto executor = make_executor(*GetParam(), *step, 2);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  fill(**executor, run);
  run.run();
  (*executor)->compute();
  EXPECT_NEAR(read(**executor, step->loss)[0], run.loss(), 1e-5 * run.loss());
  (*executor)->update();  // weights that belong to the padding must not move
  for (const auto& operation : step->operations)
    if (operation.phase == Phase::update) run.set(operation.inputs[0], run.get(operation.outputs[0]));
  run.run();
  for (const ValueId id : step->inputs) (*executor)->write(id, run.get(id).bytes);
  (*executor)->compute();
  EXPECT_NEAR(read(**executor, step->loss)[0], run.loss(), 1e-5 * run.loss());
}

TEST_P(Executors, SameStepSameBits) {
  const Program step = step_of("fmnist_cnn", 5, "adam");
  std::vector<std::vector<float>> first;
  for (int round = 0; round < 2; ++round) {
    ProgramRun run(step);
    fill(run, 3);
    auto executor = make_executor(*GetParam(), step, 2);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    fill(**executor, run);
    (*executor)->compute();
    (*executor)->update();
    std::vector<std::vector<float>> parameters;
    for (const auto& operation : step.operations)
      if (operation.phase == Phase::update) parameters.push_back(read(**executor, operation.inputs[0]));
    if (round == 0) first = parameters;
    else EXPECT_EQ(first, parameters);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Executors, testing::ValuesIn(all_backends().begin(), all_backends().end()),
                         [](const auto& info) { return std::string(info.param->name()); });

}  // namespace
}  // namespace plimsoll
