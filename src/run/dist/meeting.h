// Meeting: where the workers of one host wait for each other, in memory that they share. Who waits sleeps, whereas MPI
// asks again and again, and so takes the core from whoever computes there: another thread, or another program.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace plimsoll {

struct Meeting {
  std::atomic<uint32_t> arrived = 0;
  std::atomic<uint32_t> over = 0;  // how many meetings there were
  std::atomic<uint32_t> asleep = 0;

  // Back when all `workers` have come.
  void come(int workers);
};

// A Meeting in memory that has a name until all have opened it (forget_meeting). Whoever holds one lets go of it alone:
// a worker that ends early waits for nobody.
struct LeaveMeeting {
  void operator()(Meeting* meeting) const;
};
using SharedMeeting = std::unique_ptr<Meeting, LeaveMeeting>;

// nullptr where the system gives no such memory.
SharedMeeting new_meeting(std::string& name);
SharedMeeting open_meeting(const std::string& name);
void forget_meeting(const std::string& name);

}  // namespace plimsoll
