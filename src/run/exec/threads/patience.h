// Patience: how long the threads of a team that wait for each other spin before they sleep.
//
// On a quiet machine spinning is best: the other thread runs, and is heard of at once. On a busy one the other thread
// may be waiting for the very core that the spinning one holds. Threads see this themselves: while they work or spin,
// more time goes by than they have the core for. Then all of the team spin only briefly for a while, and sleep.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

namespace plimsoll {

class Patience {
 public:
  // Spins until `come()` is true: then true. False: patience is at its end, sleep.
  template <class Come>
  bool spin_until(Come&& come) {
    if (come()) return true;
    const int64_t start = now();
    int64_t limit = is_crowded(start) ? kShort : kLong, last = start;
    for (;;) {
      for (int i = 0; i < kPauses; ++i) {
        pause();
        if (come()) return true;
      }
      const int64_t at = now();
      if (at - last > kAside) {
        crowd_seen(at);
        limit = kShort;
      }
      if (at - start > limit) return come();
      last = at;
    }
  }

  // The same for a wait that is seldom short.
  template <class Come>
  static bool spin_briefly(Come&& come) {
    const int64_t start = now();
    while (!come()) {
      if (now() - start > kShort) return false;
      pause();
    }
    return true;
  }

  // Looks, now and then, whether the calling thread has a core all the time that it works. Times in which it sleeps of
  // its own will are told with slept().
  class Watch {
   public:
    explicit Watch(Patience& patience);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Patience& patience_;
    int64_t start_ = 0, had_ = 0, slept_ = 0;  // 0: not this time
  };
  template <class Sleep>
  static void slept(Sleep&& sleep) {
    const int64_t start = now();
    sleep();
    own_sleep_ += now() - start;
  }

 private:
  // All in ns.
  static constexpr int kPauses = 16;  // between two looks at the clock
  static constexpr int64_t kAside =
      1'000'000;  // without the core: longer than our own loader takes it, not than a slice
  static constexpr int64_t kLong = 4'000'000;    // to spin on a quiet machine
  static constexpr int64_t kShort = 10'000;      // and on a busy one
  static constexpr int64_t kCalm = 100'000'000;  // a machine on which nobody was put aside for so long is quiet
  static constexpr int64_t kLook = 300'000;      // between two looks of a thread whether it had its core

  static int64_t time_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  static int64_t now() { return time_of(CLOCK_MONOTONIC); }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  bool is_crowded(int64_t time) const { return time < quiet_from_.load(std::memory_order_relaxed); }
  void crowd_seen(int64_t time) { quiet_from_.store(time + kCalm, std::memory_order_relaxed); }

  static inline thread_local int64_t own_sleep_ = 0, own_look_ = 0;
  std::atomic<int64_t> quiet_from_ = 0;
};

inline Patience::Watch::Watch(Patience& patience) : patience_(patience) {
  const int64_t at = now();
  if (at - own_look_ < kLook) return;
  own_look_ = start_ = at;
  had_ = time_of(CLOCK_THREAD_CPUTIME_ID);
  slept_ = own_sleep_;
}

inline Patience::Watch::~Watch() {
  if (start_ == 0) return;
  const int64_t at = now();
  if (at - start_ <= kAside) return;
  const int64_t had = time_of(CLOCK_THREAD_CPUTIME_ID) - had_, slept = own_sleep_ - slept_;
  if (at - start_ - had - slept > kAside) patience_.crowd_seen(at);
}

}  // namespace plimsoll
