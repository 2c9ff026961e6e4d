#include "run/dist/meeting.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <random>

#include "run/exec/threads/futex.h"
#include "run/exec/threads/patience.h"

namespace plimsoll {
namespace {

Meeting* map_meeting(int file) {
  void* place = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return place == MAP_FAILED ? nullptr : static_cast<Meeting*>(place);
}

}  // namespace

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

void LeaveMeeting::operator()(Meeting* meeting) const { munmap(meeting, sizeof(Meeting)); }

SharedMeeting new_meeting(std::string& name) {
  std::random_device random;
  name = fmt::format("/plimsoll-{}-{:08x}{:08x}", getpid(), random(), random());
  const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  SharedMeeting meeting;
  if (ftruncate(file, sizeof(Meeting)) == 0) meeting.reset(map_meeting(file));
  close(file);
  if (meeting) new (meeting.get()) Meeting;
  else forget_meeting(name);
  return meeting;
}

SharedMeeting open_meeting(const std::string& name) {
  const int file = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return nullptr;
  SharedMeeting meeting(map_meeting(file));
  close(file);
  return meeting;
}

void forget_meeting(const std::string& name) { shm_unlink(name.c_str()); }

}  // namespace plimsoll
