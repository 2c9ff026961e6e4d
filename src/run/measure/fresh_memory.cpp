#include "run/measure/fresh_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace plimsoll {
namespace {

constexpr size_t kBlock = size_t{48} << 20;  // more than the C library keeps for itself

}  // namespace

Result<BytesPerSecond> measure_fresh_memory(int threads, const Effort& effort) {
  std::atomic<bool> refused = false;
  const auto touch = [&](int) {
    void* const block = mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
      refused = true;
      return;
    }
    std::memset(block, 1, kBlock);
    munmap(block, kBlock);
  };
  Seconds least{HUGE_VAL};  // whatever else runs can only make it slower
  for (int i = 0; i < 3 * effort.repetitions && !refused; ++i) {
    PLIM_ASSIGN(const Seconds took, run_together(threads, touch));
    least = std::min(least, took);
  }
  if (refused) return environment_error("no memory was left to measure how fast the system hands it out");
  return BytesPerSecond{double(threads) * double(kBlock) / least.value};
}

}  // namespace plimsoll
