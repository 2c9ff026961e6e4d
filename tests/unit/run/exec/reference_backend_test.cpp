#include "run/exec/reference/reference_backend.h"

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Program training_step(const std::string& model, int64_t batch) {
  StepOptions options;
  options.optimizer = find_optimizer("momentum").value();
  auto step = make_step(zoo_program(model, {}, batch), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

// Everything that comes from outside, into the executor as into the plain run.
void fill(Executor& executor, const ProgramRun& run) {
  for (size_t i = 0; i < executor.program().values.size(); ++i) {
    const ValueId id{int32_t(i)};
    const Role role = executor.program().values[i].role;
    if (run.has(id) && role != Role::activation && role != Role::gradient && role != Role::constant)
      executor.write(id, run.get(id).bytes);
  }
}

TEST(ReferenceBackend, RunsAStepInItsPlanAsWithoutOne) {
  const Program step = training_step("lenet5", 2);
  ProgramRun run(step);
  run.fill(7);
  auto executor = make_executor(reference_backend(), step, 1);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  fill(**executor, run);
  run.run();
  (*executor)->compute();
  float loss = 0;
  (*executor)->read(step.loss, std::as_writable_bytes(std::span(&loss, 1)));
  EXPECT_FLOAT_EQ(loss, float(run.loss()));
  EXPECT_TRUE((*executor)->finite());
  (*executor)->update();
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::update) continue;
    Tensor ours(*step.value(operation.inputs[0]).type);
    (*executor)->read(operation.inputs[0], ours.bytes);
    EXPECT_EQ(ours.bytes, run.get(operation.outputs[0]).bytes) << operation.name;
  }
}

TEST(ReferenceBackend, NamesTheOperationThatIsNotFinite) {
  const Program step = training_step("logistic", 2);
  ProgramRun run(step);
  run.fill(7);
  auto executor = make_executor(reference_backend(), step, 1);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  fill(**executor, run);
  Tensor image(*step.value(step.inputs[0]).type);
  image.as<float>()[3] = std::numeric_limits<float>::infinity();
  (*executor)->write(step.inputs[0], image.bytes);
  (*executor)->compute();
  EXPECT_FALSE((*executor)->finite());
  (*executor)->write(step.inputs[0], image.bytes);
  EXPECT_EQ((*executor)->first_not_finite(), step.operations[0].name);
}

}  // namespace
}  // namespace plimsoll
