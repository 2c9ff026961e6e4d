// The whole zoo on torch:cpu: planned is what is taken, in a training step of every network that this machine holds.
#include "plan/memory/lowering.h"
#include "tests/steered_step.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

constexpr Bytes kMost{int64_t{6} << 30};

// At a small image where the network takes one: what is allocated does not turn on the size.
Result<Graph> small_model(const std::string& name) {
  const Shape own = find_model(name)->input;
  if (own.rank() == 3)
    if (auto small = build_model(name, {.input = Shape{own[0], 96, 96}, .classes = 10}); small.ok()) return small;
  return build_model(name, {});
}

class TorchZoo : public testing::TestWithParam<std::string> {};

TEST_P(TorchZoo, TakesWhatIsPlanned) {
  PLIM_NEEDS_TORCH();
  const auto graph = small_model(GetParam());
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  const auto bound = bind(*graph, {.batch = 2});
  if (!bound.ok()) GTEST_SKIP() << bound.error().line();
  auto step = training_step(*bound, "momentum");
  if (!step.ok()) GTEST_SKIP() << step.error().line();
  if (plan_memory(*step, plain_size_rules()).peak() > kMost) GTEST_SKIP() << "it needs more memory than a test takes";
  expect_steered(*bound, 1);
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const auto& model : all_models()) names.emplace_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, TorchZoo, testing::ValuesIn(zoo_names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace plimsoll
