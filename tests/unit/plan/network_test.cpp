#include "plan/verdict/network.h"

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Network network_of(const std::string& name) {
  return {name, [name](std::optional<int64_t> batch, const NumberFormat&) -> Result<Program> {
            return zoo_program(name, {}, batch.value_or(1));
          }};
}

// Every option of a step is part of what is kept under it: the answer to one question is never that to another.
TEST(Network, StepsThatDifferInAnyOptionAreKeptApart) {
  const Network network = network_of("lenet5");
  const NumberFormat format = *number_format("f32");
  const StepOptions plain{.optimizer = *find_optimizer("momentum")};
  const BatchFamily* kept = *network.steps(format, plain);
  EXPECT_EQ(*network.steps(format, plain), kept);
  std::vector<StepOptions> others(9, plain);
  others[0].optimizer_settings.set("weight_decay", 0.1);
  others[1].label_smoothing = 0.1;
  others[2].batch_norm.over = BatchNormOver::ghosts;
  others[3].form = TrainingForm::frozen;
  others[4].parameters = Parameters::shared;
  others[5].fuse = false;
  others[6].overwriting = Overwriting::as_written;
  others[7].loss = Loss::mean_squared_error;
  others[8].optimizer = *find_optimizer("adam");
  std::set<const BatchFamily*> families{kept};
  for (const auto& options : others) {
    const auto family = network.steps(format, options);
    ASSERT_TRUE(family.ok()) << family.error().line();
    families.insert(*family);
  }
  EXPECT_EQ(families.size(), 1 + others.size());
}

}  // namespace
}  // namespace plimsoll
