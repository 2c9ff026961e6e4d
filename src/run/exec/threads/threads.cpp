#include "run/exec/threads/threads.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "run/exec/threads/member.h"
#include "run/exec/threads/thread_pool.h"

namespace plimsoll {
namespace {

// A child that was forked has the memory of its parent's pools, but not their threads.
std::atomic<uint32_t> forks = 0;

void count_forks() {
  static const int once = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(once);
}

// The calling thread's pool, made when first needed.
class OwnPool {
 public:
  ~OwnPool() { leave_behind(); }

  Pool& get() {
    const uint32_t now = forks.load(std::memory_order_relaxed);
    if (pool_ && made_at_ != now) leave_behind();
    if (!pool_) {
      count_forks();
      pool_ = std::make_unique<Pool>();
      made_at_ = forks.load(std::memory_order_relaxed);
    }
    return *pool_;
  }

 private:
  void leave_behind() {
    if (made_at_ == forks.load(std::memory_order_relaxed)) pool_.reset();
    else static_cast<void>(pool_.release());  // its threads cannot be waited for, they are the parent's
  }

  std::unique_ptr<Pool> pool_;
  uint32_t made_at_ = 0;
};

thread_local OwnPool own_pool;
thread_local int own_threads = 0;  // 0: not said

int threads_by_default() {
  static const int threads = [] {
    const char* said = std::getenv("OMP_NUM_THREADS");
    const int wanted = said ? std::atoi(said) : 0;
    return wanted > 0 ? wanted : std::max(1, int(std::thread::hardware_concurrency()));
  }();
  return threads;
}

}  // namespace

Membership& own_membership() {
  thread_local Membership mine;
  return mine;
}

void use_threads(int threads) { own_threads = std::max(1, threads); }
int most_threads() { return own_threads > 0 ? own_threads : threads_by_default(); }

int thread_number() { return own_membership().number; }
int team_size() { return own_membership().members; }
bool in_region() { return own_membership().pool != nullptr; }

void wait_for_team() {
  const Membership& mine = own_membership();
  if (mine.members > 1) mine.pool->barrier();
}

void run_region(int threads, void (*work)(void*), void* data) {
  if (threads > 1 && !in_region()) return own_pool.get().run(threads, work, data);
  const WorksAs as({own_membership().pool, 0, 1});
  work(data);
}

}  // namespace plimsoll
