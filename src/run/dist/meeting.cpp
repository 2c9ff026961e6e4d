#include "run/dist/meeting.h"

#include <climits>

#include "run/exec/threads/futex.h"
#include "run/exec/threads/patience.h"

namespace plimsoll {

void Meeting::come(int workers) {
  const uint32_t before = over.load();
  if (arrived.fetch_add(1) + 1 == uint32_t(workers)) {
    arrived.store(0);
    over.store(before + 1);
    if (asleep.load() != 0) wake_sleepers(over, INT_MAX, Among::processes);
    return;
  }
  if (Patience::spin_briefly([&] { return over.load(std::memory_order_acquire) != before; })) return;
  asleep.fetch_add(1);
  while (over.load() == before) sleep_while(over, before, Among::processes);
  asleep.fetch_sub(1);
}

}  // namespace plimsoll
