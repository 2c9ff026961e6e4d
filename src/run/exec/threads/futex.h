// A thread that sleeps until a word changes, and one that wakes it: the system's futex, without the spinning that
// std::atomic::wait does first (how long to spin is patience.h's business).
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace plimsoll {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) && std::atomic<uint32_t>::is_always_lock_free);

enum class Among { threads, processes };  // whose memory the word is in

// Back when the word is not `seen`, or for no reason at all.
inline void sleep_while(std::atomic<uint32_t>& word, uint32_t seen, Among among = Among::threads) {
  const int how = among == Among::threads ? FUTEX_WAIT_PRIVATE : FUTEX_WAIT;
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), how, seen, nullptr, nullptr, 0);
}

inline void wake_sleepers(std::atomic<uint32_t>& word, int most, Among among = Among::threads) {
  const int how = among == Among::threads ? FUTEX_WAKE_PRIVATE : FUTEX_WAKE;
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), how, most, nullptr, nullptr, 0);
}

}  // namespace plimsoll
