#include "run/exec/planned_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "base/rows/named.h"
#include "base/units.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {
namespace {

constexpr int64_t kOnDevice = 512;  // both parts begin at multiples of it

Error refused(Bytes size) {
  return environment_error(fmt::format("out of memory: {} needed in one piece, the system refused: {}",
                                       human_bytes(size), std::strerror(errno)),
                           fmt::format("a smaller {} needs less; plimsoll fit MODEL {} this says which fits",
                                       named("batch"), named("device")));
}

}  // namespace

Result<Pages> Pages::take(Bytes size, Touched touched) {
  Pages pages;
  if (size == Bytes(0)) return pages;
  void* data = mmap(nullptr, size_t(size.value()), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return refused(size);
  // Fewer, larger pages where the system has them: every kernel walks through megabytes.
  madvise(data, size_t(size.value()), MADV_HUGEPAGE);
  pages.data_ = static_cast<std::byte*>(data);
  pages.size_ = size_t(size.value());
  // All of it now: what is missing is missed before the first step, not in the middle of a run.
  if (touched == Touched::now && madvise(data, pages.size_, MADV_POPULATE_WRITE) != 0 && errno == ENOMEM)
    return refused(size);
  return pages;
}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void Pages::release() {
  if (data_) madvise(data_, size_, MADV_DONTNEED);
}

Pages::~Pages() {
  if (data_) munmap(data_, size_);
}

Result<PlannedMemory> PlannedMemory::take(const MemoryPlan& plan) {
  PlannedMemory memory(plan);
  PLIM_ASSIGN(memory.persistent_, Pages::take(plan.persistent));
  PLIM_ASSIGN(memory.own_arena_, Pages::take(plan.arena));
  memory.arena_ = memory.own_arena_.bytes();
  memory.persistent_data_ = memory.persistent_.bytes().data();
  return memory;
}

Result<PlannedMemory> PlannedMemory::take_on(const MemoryPlan& plan, const DeviceMemory& device, Bytes more) {
  PlannedMemory memory(plan);
  const Bytes persistent = rounded_up(plan.persistent, kOnDevice);
  const Bytes arena = rounded_up(plan.arena, kOnDevice);
  PLIM_ASSIGN(auto all, device.take(persistent + arena + more));
  memory.persistent_data_ = all.get();
  if (more > Bytes(0)) memory.more_ = all.get() + persistent.value() + arena.value();
  memory.arena_ = {all.get() + persistent.value(), size_t(plan.arena.value())};
  memory.on_device_.push_back(std::move(all));
  return memory;
}

Result<PlannedMemory> PlannedMemory::take_in(const MemoryPlan& plan, std::span<std::byte> arena,
                                             const DeviceMemory& device) {
  PlannedMemory memory(plan);
  if (int64_t(arena.size()) < plan.arena.value()) {
    PLIM_ASSIGN(auto own, device.take(plan.arena));
    arena = {own.get(), size_t(plan.arena.value())};
    memory.on_device_.push_back(std::move(own));
  }
  memory.arena_ = arena;
  return memory;
}

Status PlannedMemory::take_rest(const DeviceMemory& device) {
  elsewhere_.resize(plan_->storages.size(), nullptr);
  for (size_t i = 0; i < plan_->storages.size(); ++i) {
    const PlannedStorage& storage = plan_->storages[i];
    if (!storage.persistent || elsewhere_[i] || storage.size == Bytes(0)) continue;
    PLIM_ASSIGN(auto own, device.take(storage.size));
    elsewhere_[i] = own.get();
    on_device_.push_back(std::move(own));
  }
  return {};
}

Result<PlannedMemory> PlannedMemory::take_in(const MemoryPlan& plan, std::span<std::byte> arena) {
  PlannedMemory memory(plan);
  PLIM_ASSIGN(memory.persistent_, Pages::take(plan.persistent, Touched::when_used));  // most of it is elsewhere
  memory.persistent_data_ = memory.persistent_.bytes().data();
  if (int64_t(arena.size()) < plan.arena.value()) {
    PLIM_ASSIGN(memory.own_arena_, Pages::take(plan.arena));
    arena = memory.own_arena_.bytes();
  }
  memory.arena_ = arena;
  return memory;
}

void PlannedMemory::place_elsewhere(ValueId id, std::byte* data) {
  elsewhere_.resize(plan_->storages.size(), nullptr);
  const int32_t storage = plan_->storage_of.at(size_t(id.index));
  if (storage >= 0) elsewhere_[size_t(storage)] = data;
}

std::byte* PlannedMemory::of(ValueId id) const {
  std::byte* storage = at(plan_->storage_of.at(size_t(id.index)));
  const auto offset = offsets_.find(id);
  return storage && offset != offsets_.end() ? storage + offset->second.value() : storage;
}

std::byte* PlannedMemory::at(int32_t storage) const {
  if (storage < 0) return nullptr;
  if (!elsewhere_.empty() && elsewhere_[size_t(storage)]) return elsewhere_[size_t(storage)];
  const PlannedStorage& planned = plan_->storages.at(size_t(storage));
  return (planned.persistent ? persistent_data_ : arena_.data()) + planned.offset.value();
}

}  // namespace plimsoll
