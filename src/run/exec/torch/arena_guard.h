// ArenaGuard: on torch:cpu the plan's memory can be taken away from this process outside of operations and copies, as a
// GPU's always is: whoever then reads or writes it on the host ends with a fault. For tests; off unless the environment
// has PLIMSOLL_TORCH_GUARD.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "run/exec/planned_memory.h"

namespace plimsoll {

class ArenaGuard {
 public:
  // Guards both parts of the memory from now on, if it is asked for. Borrows the memory.
  static std::shared_ptr<ArenaGuard> of(const PlannedMemory& memory);
  ~ArenaGuard();

  // The memory may be used for as long as this lives.
  class Opened {
   public:
    explicit Opened(ArenaGuard* guard) : guard_(guard) {
      if (guard_) guard_->enter();
    }
    ~Opened() {
      if (guard_) guard_->leave();
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    ArenaGuard* guard_;
  };

 private:
  void enter();
  void leave();
  void protect(int protection);

  std::mutex mutex_;
  int inside_ = 0;
  std::vector<std::span<std::byte>> parts_;
};

}  // namespace plimsoll
