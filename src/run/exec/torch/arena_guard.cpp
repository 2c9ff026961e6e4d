#include "run/exec/torch/arena_guard.h"

#include <sys/mman.h>

#include <cstdlib>

namespace plimsoll {

std::shared_ptr<ArenaGuard> ArenaGuard::of(const PlannedMemory& memory) {
  static const bool asked = std::getenv("PLIMSOLL_TORCH_GUARD") != nullptr;
  if (!asked) return nullptr;
  auto guard = std::make_shared<ArenaGuard>();
  for (const auto part : {memory.persistent(), memory.arena()})
    if (!part.empty()) guard->parts_.push_back(part);
  guard->protect(PROT_NONE);
  return guard;
}

ArenaGuard::~ArenaGuard() { protect(PROT_READ | PROT_WRITE); }

void ArenaGuard::protect(int protection) {
  for (const auto part : parts_)
    PLIM_CHECK(mprotect(part.data(), part.size(), protection) == 0, "the arena could not be guarded");
}

void ArenaGuard::enter() {
  const std::lock_guard lock(mutex_);
  if (inside_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void ArenaGuard::leave() {
  const std::lock_guard lock(mutex_);
  if (--inside_ == 0) protect(PROT_NONE);
}

}  // namespace plimsoll
