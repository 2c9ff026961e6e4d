#include "run/dist/meeting.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <vector>

namespace plimsoll {
namespace {

struct Shared {
  Meeting meeting;
  std::atomic<int> came = 0;  // how often, all workers together
};

// True: whenever a meeting was over, all had come to it.
bool works_in_step(Shared& shared, int workers, int rounds, int number) {
  for (int round = 1; round <= rounds; ++round) {
    if (number == round % workers) usleep(300);  // each is late now and then, and the others sleep
    shared.came.fetch_add(1);
    shared.meeting.come(workers);
    if (shared.came.load() < round * workers) return false;
    shared.meeting.come(workers);
  }
  return true;
}

TEST(Meeting, ProcessesWaitForEachOther) {
  constexpr int kWorkers = 3, kRounds = 300;
  void* place = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  auto& shared = *new (place) Shared;
  std::vector<pid_t> others;
  for (int number = 1; number < kWorkers; ++number) {
    others.push_back(fork());
    if (others.back() == 0) {
      alarm(300);  // should the others never come
      _exit(works_in_step(shared, kWorkers, kRounds, number) ? 0 : 1);
    }
  }
  EXPECT_TRUE(works_in_step(shared, kWorkers, kRounds, 0));
  for (const pid_t other : others) {
    int status = 0;
    waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(shared.came.load(), kWorkers * kRounds);
  munmap(place, sizeof(Shared));
}

TEST(Meeting, IsFoundByItsNameUntilThatIsForgotten) {
  std::string name;
  const SharedMeeting first = new_meeting(name);
  ASSERT_TRUE(first);
  const SharedMeeting second = open_meeting(name);
  ASSERT_TRUE(second);
  forget_meeting(name);
  EXPECT_FALSE(open_meeting(name));
  first->over.store(7);
  EXPECT_EQ(second->over.load(), 7u);
}

}  // namespace
}  // namespace plimsoll
