#include "plan/verdict/network.h"

#include <gtest/gtest.h>

#include "model/ir/print_program.h"
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

// Steps of one network are made from what they have in common with those that were asked for before.
TEST(Network, StepsAreThoseThatAreMadeFromTheBeginning) {
  const Network network = network_of("resnet18");
  const StepOptions plain{.optimizer = *find_optimizer("momentum"), .fuse = false};
  std::vector<StepOptions> asked(7, plain);
  asked[1].recompute = 0.35;
  asked[2].micro_batches = 2;
  asked[3].optimizer = *find_optimizer("adam");
  asked[3].recompute = 0.1;
  asked[4].optimizer = *find_optimizer("sgd");
  asked[5].optimizer_settings.set("weight_decay", 0.1);
  asked[6].optimizer = nullptr;
  for (const auto& options : asked) {
    const auto family = network.steps(*number_format("f32"), options);
    ASSERT_TRUE(family.ok()) << family.error().line();
    const auto alone = make_step(zoo_program("resnet18", {}, 2), options);
    ASSERT_TRUE(alone.ok()) << alone.error().line();
    EXPECT_EQ(print(*(*family)->at(2)), print(*alone));
  }
}

}  // namespace
}  // namespace plimsoll
