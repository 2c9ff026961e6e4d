#include "run/exec/torch/arena_guard.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace plimsoll {
namespace {

void touch_guarded(bool inside) {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer has its own answer
  setenv("PLIMSOLL_TORCH_GUARD", "1", 1);
  MemoryPlan plan;
  plan.persistent = plan.arena = Bytes(1 << 16);
  const auto memory = PlannedMemory::take(plan);
  const auto guard = ArenaGuard::of(*memory);
  volatile std::byte* data = memory->arena().data();
  if (inside) {
    const ArenaGuard::Opened opened(guard.get());
    *data = std::byte{1};
    std::_Exit(0);
  }
  *data = std::byte{1};
  std::_Exit(0);
}

TEST(ArenaGuardDeathTest, EndsWhoTouchesItOutside) {
  EXPECT_EXIT(touch_guarded(false), testing::KilledBySignal(SIGSEGV), "");
}

TEST(ArenaGuardDeathTest, LetsOperationsIn) { EXPECT_EXIT(touch_guarded(true), testing::ExitedWithCode(0), ""); }

}  // namespace
}  // namespace plimsoll
