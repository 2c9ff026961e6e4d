// Every network of the zoo grows along a straight line: a step at any batch follows from two, to the byte.
#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/batch_family.h"
#include "model/passes/pipeline.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

class EveryFamily : public testing::TestWithParam<std::string_view> {};

void expect_straight(std::string_view model, const Optimizer* optimizer) {
  StepOptions options;
  options.optimizer = optimizer;
  const auto graph = build_model(model, {});
  ASSERT_TRUE(graph.ok());
  const auto family = BatchFamily::make([&](int64_t batch) -> Result<Program> {
    PLIM_ASSIGN(Program forward, bind(*graph, {.batch = batch}));
    return make_step(std::move(forward), options);
  });
  ASSERT_TRUE(family.ok()) << family.error().line();
  EXPECT_TRUE(family->straight());
  const auto guessed = family->at(33), built = family->exactly(33);
  ASSERT_EQ(guessed->operations.size(), built->operations.size());
  for (size_t i = 0; i < guessed->operations.size(); ++i) {
    ASSERT_EQ(guessed->operations[i].cost.flops, built->operations[i].cost.flops) << guessed->operations[i].name;
    ASSERT_EQ(guessed->operations[i].moved, built->operations[i].moved) << guessed->operations[i].name;
  }
  for (size_t i = 0; i < guessed->values.size(); ++i)
    ASSERT_EQ(guessed->values[i].type, built->values[i].type) << guessed->values[i].name;
}

TEST_P(EveryFamily, IsStraightInTraining) { expect_straight(GetParam(), *find_optimizer("momentum")); }
TEST_P(EveryFamily, IsStraightInInference) { expect_straight(GetParam(), nullptr); }

std::vector<std::string_view> names() {
  std::vector<std::string_view> list;
  for (const auto& model : all_models()) list.push_back(model.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryFamily, testing::ValuesIn(names()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plimsoll
