// Every network of the zoo, in training and inference: each pass leaves a valid Program, and the whole step is one.
#include <gtest/gtest.h>

#include "model/ir/validate.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

class EveryProgram : public testing::TestWithParam<std::string> {};

void expect_valid(const std::string& network, const StepOptions& options) {
  const Program forward = zoo_program(network, {}, 2);
  ASSERT_TRUE(validate(forward).ok()) << "bound: " << validate(forward).error().line();
  int changes = 0;
  const auto step = make_step(forward, options, [&](const PassRun& run) {
    changes += run.changed;
    const Status status = validate(run.program);
    EXPECT_TRUE(status.ok()) << run.name << ": " << status.error().line();
  });
  ASSERT_TRUE(step.ok()) << step.error().line();
  EXPECT_GT(changes, 0);
}

TEST_P(EveryProgram, IsValidAfterEachPass) {
  const Optimizer* momentum = *find_optimizer("momentum");
  expect_valid(GetParam(), {.optimizer = momentum});
  expect_valid(GetParam(), {.optimizer = momentum, .fuse = false, .overwriting = Overwriting::as_written});
  expect_valid(GetParam(), {.optimizer = *find_optimizer("adam"), .micro_batches = 2, .recompute = 0.3});
  expect_valid(GetParam(), {});
  expect_valid(GetParam(), {.parameters = Parameters::shared});
  expect_valid(GetParam(), {.fuse = false, .overwriting = Overwriting::as_written});
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& model : all_models()) list.emplace_back(model.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryProgram, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace plimsoll
