#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

// LeNet has biases of 6, 16, 120, 84 and 10 numbers, none a multiple of what memory is rounded up to.
TEST(ValueStorage, EndsWhereTheValueEnds) {
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  for (const Backend* backend : all_backends()) {
    const auto step = make_executor(*backend, *make_step(zoo_program("lenet5", {}, 2), options), 1);
    ASSERT_TRUE(step.ok()) << step.error().line();
    int64_t biases = 0;
    for (const auto& operation : (*step)->program().operations) {
      if (operation.phase != Phase::update || operation.inputs.size() < 2) continue;
      const auto& type = (*step)->program().value(operation.inputs[1]).type;
      if (type->shape.rank() != 1) continue;
      EXPECT_EQ(int64_t((*step)->storage(operation.inputs[1]).size()), type->bytes().value()) << backend->name();
      ++biases;
    }
    EXPECT_EQ(biases, 5);
  }
}

}  // namespace
}  // namespace plimsoll
