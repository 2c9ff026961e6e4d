// Pool: the threads that a calling thread shares its work with; each calling thread has one of its own.
//
// Work is cut by number: run(n, work) calls work for each number in [0, n), each on a thread of its own; the caller is
// 0.
//
// Threads that wait spin for a while and then sleep (patience.h), so that they never hold the core that another needs.
// The caller does not take over the number of a helper that is late: on a busy machine it would do all the work by
// itself, in its share of one core, and leave the team's share of the other cores to other programs.
#pragma once

#include <deque>
#include <thread>

#include "run/exec/threads/futex.h"
#include "run/exec/threads/patience.h"

namespace plimsoll {

class Pool {
 public:
  using Work = void (*)(void* data);

  Pool() = default;
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // By the thread that owns the pool, outside of work. `work` finds its number with thread_number() (threads.h). Throws
  // std::system_error, as std::thread does, when the system has no thread left to give.
  void run(int threads, Work work, void* data);
  // By all numbers of a run, inside of it.
  void barrier();

 private:
  // Waits until its own `turn` changes, and works.
  struct alignas(64) Helper {
    Helper(Pool& pool, int number) : thread([this, &pool, number] { pool.help(number, *this); }) {}

    std::atomic<uint32_t> turn = 0;
    std::atomic<uint32_t> asleep = 0;
    std::thread thread;  // last: it uses the above
  };

  void need(int threads);
  void help(int number, Helper& own);
  void wait_for_turn(Helper& own, uint32_t seen);
  static void call(Helper& helper);
  void work_on(int number);
  void join();

  Patience patience_;
  std::atomic<bool> stop_ = false;

  // Of the latest run; written while nobody works.
  int threads_ = 0;
  Work work_ = nullptr;
  void* data_ = nullptr;

  alignas(64) std::atomic<uint32_t> left_ = 0;  // numbers that are not done
  std::atomic<uint32_t> owner_asleep_ = 0;
  alignas(64) std::atomic<uint32_t> arrived_ = 0;  // at the barrier
  std::atomic<uint32_t> met_ = 0;                  // barriers that are over
  std::atomic<uint32_t> asleep_at_barrier_ = 0;

  std::deque<Helper> helpers_;  // the first has number 1
};

}  // namespace plimsoll
