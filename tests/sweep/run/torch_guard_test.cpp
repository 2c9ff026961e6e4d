// The plan's memory of a step on torch:cpu, guarded as a GPU's is: steps run and numbers get in and out by copies; a
// host access that is put there on purpose ends the process.
#include <csignal>

#include "run/exec/torch/torch_executor.h"
#include "tests/steered_step.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

[[noreturn]] void run_guarded(bool touch) {
  setenv("PLIMSOLL_TORCH_GUARD", "1", 1);
  const Program bound = zoo_program("lenet5", {.input = Shape{1, 28, 28}, .classes = 10}, 2);
  auto made = make_executor(torch_backend(), training_step(bound, "momentum").value(), 1);
  if (!made.ok()) std::_Exit(2);
  run_steps(**made, 2);
  const Program& program = (*made)->program();
  volatile const std::byte* images = static_cast<TorchExecutor&>(**made).place_of(program.inputs[0]);
  if (touch) [[maybe_unused]]
    const std::byte read = *images;
  std::_Exit(0);
}

TEST(TorchGuardDeathTest, StepsRunBehindIt) {
  PLIM_NEEDS_TORCH();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(run_guarded(false), testing::ExitedWithCode(0), "");
}

TEST(TorchGuardDeathTest, AHostAccessIsCaught) {
  PLIM_NEEDS_TORCH();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(run_guarded(true), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace plimsoll
