#include "run/exec/threads/thread_pool.h"

#include <pthread.h>
#include <signal.h>

#include <climits>

#include "run/exec/threads/member.h"
#include "run/exec/threads/pinning.h"

namespace plimsoll {
namespace {

// Threads that are started while it lives leave signals to those of the program.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Pool::~Pool() {
  stop_.store(true);
  for (auto& helper : helpers_) call(helper);
  for (auto& helper : helpers_) helper.thread.join();
}

void Pool::need(int threads) {
  if (int(helpers_.size()) + 1 >= threads) return;
  if (helpers_.empty() && threads_are_pinned()) pin_this_thread(0);
  const NoSignals none;
  while (int(helpers_.size()) + 1 < threads) helpers_.emplace_back(*this, int(helpers_.size()) + 1);
}

void Pool::run(int threads, Work work, void* data) {
  need(threads);
  threads_ = threads;
  work_ = work;
  data_ = data;
  left_.store(uint32_t(threads), std::memory_order_relaxed);
  for (int number = 1; number < threads; ++number) call(helpers_[size_t(number - 1)]);
  work_on(0);
  if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) join();
}

// The owner changes the turn and then looks whether the helper sleeps; the helper says that it sleeps and then looks at
// its turn. In one order of all (seq_cst) at least one of them sees the other.
void Pool::call(Helper& helper) {
  helper.turn.fetch_add(1);
  if (helper.asleep.load() != 0) wake_sleepers(helper.turn, 1);
}

void Pool::wait_for_turn(Helper& own, uint32_t seen) {
  if (patience_.spin_until([&] { return own.turn.load(std::memory_order_acquire) != seen; })) return;
  own.asleep.store(1);
  while (own.turn.load() == seen) sleep_while(own.turn, seen);
  own.asleep.store(0, std::memory_order_relaxed);
}

void Pool::work_on(int number) {
  const WorksAs as({this, number, threads_});
  const Patience::Watch watch(patience_);
  work_(data_);
}

void Pool::help(int number, Helper& own) {
  if (threads_are_pinned()) pin_this_thread(number);
  for (uint32_t seen = 0;; ++seen) {
    wait_for_turn(own, seen);
    if (stop_.load()) return;
    work_on(number);
    if (left_.fetch_sub(1) == 1 && owner_asleep_.load() != 0) wake_sleepers(left_, 1);
  }
}

void Pool::join() {
  if (patience_.spin_until([&] { return left_.load(std::memory_order_acquire) == 0; })) return;
  owner_asleep_.store(1);
  for (uint32_t left = left_.load(); left != 0; left = left_.load()) sleep_while(left_, left);
  owner_asleep_.store(0, std::memory_order_relaxed);
}

void Pool::barrier() {
  const uint32_t before = met_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == uint32_t(threads_)) {
    arrived_.store(0, std::memory_order_relaxed);
    met_.store(before + 1);
    if (asleep_at_barrier_.load() != 0) wake_sleepers(met_, INT_MAX);
    return;
  }
  if (patience_.spin_until([&] { return met_.load(std::memory_order_acquire) != before; })) return;
  asleep_at_barrier_.fetch_add(1);
  Patience::slept([&] {
    while (met_.load() == before) sleep_while(met_, before);
  });
  asleep_at_barrier_.fetch_sub(1);
}

}  // namespace plimsoll
