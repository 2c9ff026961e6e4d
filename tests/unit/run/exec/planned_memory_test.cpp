#include "run/exec/planned_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace plimsoll {
namespace {

constexpr int64_t kMebibyte = 1 << 20;

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

MemoryPlan plan_of(int64_t persistent, int64_t arena) {
  MemoryPlan plan;
  plan.persistent = Bytes(persistent);
  plan.arena = Bytes(arena);
  return plan;
}

TEST(PlannedMemory, IsThereBeforeTheFirstStep) {
  const MemoryPlan plan = plan_of(64 * kMebibyte, 32 * kMebibyte);
  const int64_t before = resident_bytes();
  const auto memory = PlannedMemory::take(plan);
  ASSERT_TRUE(memory.ok());
  EXPECT_GT(resident_bytes() - before, 90 * kMebibyte);
}

// An evaluation beside a training step works on that one's parameters.
TEST(PlannedMemory, OfAGuestTakesNoneForWhatLiesElsewhere) {
  const MemoryPlan host_plan = plan_of(0, 32 * kMebibyte), plan = plan_of(64 * kMebibyte, 16 * kMebibyte);
  const auto host = PlannedMemory::take(host_plan);
  ASSERT_TRUE(host.ok());
  const int64_t before = resident_bytes();
  const auto guest = PlannedMemory::take_in(plan, host->arena());
  ASSERT_TRUE(guest.ok());
  EXPECT_EQ(guest->arena().data(), host->arena().data());
  EXPECT_LT(resident_bytes() - before, 8 * kMebibyte);
}

}  // namespace
}  // namespace plimsoll
