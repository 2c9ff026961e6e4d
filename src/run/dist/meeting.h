// Meeting: where the workers of one host wait for each other, in memory that they share. Who waits sleeps, whereas MPI
// asks again and again, and so takes the core from whoever computes there: another thread, or another program.
#pragma once

#include <atomic>
#include <cstdint>

namespace plimsoll {

struct Meeting {
  std::atomic<uint32_t> arrived = 0;
  std::atomic<uint32_t> over = 0;  // how many meetings there were
  std::atomic<uint32_t> asleep = 0;

  // Back when all `workers` have come.
  void come(int workers);
};

}  // namespace plimsoll
