// PlannedMemory: the memory of a MemoryPlan, taken from the system in one piece a part and given back at the end.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "base/result.h"
#include "plan/memory/memory_plan.h"

namespace plimsoll {

// When pages become resident.
enum class Touched : uint8_t { now, when_used };

// Bytes straight from the system, aligned to pages, zero at first.
class Pages {
 public:
  Pages() = default;
  static Result<Pages> take(Bytes size, Touched touched = Touched::now);
  Pages(Pages&& other) noexcept { *this = std::move(other); }
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  std::span<std::byte> bytes() const { return {data_, size_}; }
  void release();  // to the system; zero when they are touched again

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// Where the memory of a device comes from. What it gives is not to be read or written by this process.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual Result<std::shared_ptr<std::byte>> take(Bytes size) const = 0;
};

class PlannedMemory {
 public:
  // Borrows the plan.
  static Result<PlannedMemory> take(const MemoryPlan& plan);
  // On a device, all in one piece, with some bytes more for the executor itself.
  static Result<PlannedMemory> take_on(const MemoryPlan& plan, const DeviceMemory& device, Bytes more);
  std::byte* more() const { return more_; }  // nullptr: none was asked for

  // In `arena`, which somebody else owns, as far as it is large enough. What stays from run to run is expected to be
  // placed elsewhere: its own memory is not resident before it is used.
  static Result<PlannedMemory> take_in(const MemoryPlan& plan, std::span<std::byte> arena);

  // The same on a device. What is persistent, and not placed elsewhere before, gets memory by take_rest().
  static Result<PlannedMemory> take_in(const MemoryPlan& plan, std::span<std::byte> arena, const DeviceMemory& device);
  Status take_rest(const DeviceMemory& device);

  // Value `id` is somewhere else, with all that share its storage.
  void place_elsewhere(ValueId id, std::byte* data);

  // Values that begin inside of the storage that they share, so many bytes from its start.
  void begin_inside(std::map<ValueId, Bytes> offsets) { offsets_ = std::move(offsets); }

  // nullptr when it takes no memory.
  std::byte* of(ValueId id) const;
  std::byte* workspace(size_t operation) const { return at(plan_->workspace_of.at(operation)); }
  std::span<std::byte> arena() const { return arena_; }
  std::span<std::byte> persistent() const { return persistent_.bytes(); }  // empty on a device
  void release_arena() { own_arena_.release(); }

 private:
  explicit PlannedMemory(const MemoryPlan& plan) : plan_(&plan) {}
  std::byte* at(int32_t storage) const;

  const MemoryPlan* plan_;
  Pages persistent_, own_arena_;
  std::vector<std::shared_ptr<std::byte>> on_device_;
  std::byte *persistent_data_ = nullptr, *more_ = nullptr;
  std::span<std::byte> arena_;
  std::vector<std::byte*> elsewhere_;  // by storage; nullptr: where the plan says
  std::map<ValueId, Bytes> offsets_;
};

}  // namespace plimsoll
