// What kernels of libtorch allocate lies in the plan: seen by the allocator itself, over networks and optimizers. The
// whole zoo has the label long.
#include "tests/steered_step.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

struct SmallNetwork {
  const char* name;
  Shape input;
};
void PrintTo(const SmallNetwork& network, std::ostream* out) { *out << network.name; }

class TorchSteering : public testing::TestWithParam<SmallNetwork> {};

TEST_P(TorchSteering, TakesWhatIsPlanned) {
  PLIM_NEEDS_TORCH();
  expect_steered(zoo_program(GetParam().name, {.input = GetParam().input, .classes = 10}, 2), 1);
}

INSTANTIATE_TEST_SUITE_P(Networks, TorchSteering,
                         testing::Values(SmallNetwork{"lenet5", {1, 28, 28}}, SmallNetwork{"fmnist_cnn", {1, 28, 28}},
                                         SmallNetwork{"alexnet", {3, 64, 64}}, SmallNetwork{"googlenet", {3, 64, 64}},
                                         SmallNetwork{"resnet18", {3, 32, 32}},
                                         SmallNetwork{"mobilenet_v3_small", {3, 64, 64}},
                                         SmallNetwork{"vit_b_16", {3, 32, 32}}),
                         [](const auto& info) { return info.param.name; });

TEST(TorchSteeringOfThreads, TakesWhatIsPlanned) {
  PLIM_NEEDS_TORCH();
  expect_steered(zoo_program("lenet5", {.input = Shape{1, 28, 28}, .classes = 10}, 8), 2);
}

class TorchSteeringOfUpdates : public testing::TestWithParam<const Optimizer*> {};

TEST_P(TorchSteeringOfUpdates, TakeWhatIsPlanned) {
  PLIM_NEEDS_TORCH();
  expect_steered(zoo_program("lenet5", {.input = Shape{1, 28, 28}, .classes = 10}, 2), 1,
                 std::string(GetParam()->name));
}

INSTANTIATE_TEST_SUITE_P(Optimizers, TorchSteeringOfUpdates, testing::ValuesIn(all_optimizers()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
