// Steering: kernels of libtorch allocate their results and workspaces themselves. What an operation allocates is
// recorded once, while it runs as a trial; from then on each of its allocations is given the place that the memory plan
// has for it: a result the place of its output, all else one in the operation's workspace. So a step allocates nothing.
//
// Both are of the thread that runs the operation. What an operation allocates beyond its record, or on another thread,
// comes from the system and is counted (torch_allocator.h).
#pragma once

#include <span>
#include <vector>

#include "base/units.h"
#include "run/exec/torch/torch_tensor.h"

namespace plimsoll {

// Where an allocation may begin, in bytes. The allocator of a GPU begins nowhere else, and libraries count on it:
// cuBLASLt refuses a workspace between such lines, and methods are chosen by where tensors begin.
inline constexpr int64_t kDeviceLine = 256;

struct Allocation {
  Bytes size;
  int32_t output = -1;  // the output that it becomes; -1: scratch memory
  Bytes offset;         // of scratch memory, in the workspace
};

struct AllocationRecord {
  std::vector<Allocation> allocations;  // in their order
  Bytes workspace;                      // that the scratch memory takes, packed
  Bytes kept;                           // that libraries took for themselves, of the host's memory, and keep
};

// What the allocator asks about every allocation of the thread on which it lives.
class AllocationScope {
 public:
  AllocationScope();
  virtual ~AllocationScope();
  AllocationScope(const AllocationScope&) = delete;
  AllocationScope& operator=(const AllocationScope&) = delete;

  // Of this thread; nullptr: there is none.
  static AllocationScope* now();

  virtual std::byte* place_of(size_t bytes) = 0;  // nullptr: from the system
  virtual void taken(const std::byte* data, size_t bytes) = 0;
  virtual void released(const std::byte* data) = 0;
  // A kernel gives `result` as output i, which is not where that lies.
  virtual void given(size_t i, const TorchTensor& result, const TorchTensor& output) = 0;

 private:
  AllocationScope* const before_;
};

// Records, until record() is asked for.
class RecordingScope : public AllocationScope {
 public:
  std::byte* place_of(size_t /*bytes*/) override { return nullptr; }
  void taken(const std::byte* data, size_t bytes) override;
  void released(const std::byte* data) override;
  void given(size_t i, const TorchTensor& result, const TorchTensor& output) override;

  bool all_released() const;
  AllocationRecord record() const;

 private:
  struct Life {
    const std::byte* data;
    size_t bytes;
    int32_t first, last;  // moments; what is still there has none
    int32_t output = -1;
  };
  Life* living(const std::byte* data);

  std::vector<Life> lives_;
  int32_t moment_ = 0;
};

struct PlacedAllocation {
  size_t bytes;
  std::byte* place;
};

// Gives each allocation its place. Borrows the places.
class SteeringScope : public AllocationScope {
 public:
  explicit SteeringScope(std::span<const PlacedAllocation> places) : places_(places) {}
  std::byte* place_of(size_t bytes) override;
  void taken(const std::byte* /*data*/, size_t /*bytes*/) override {}
  void released(const std::byte* /*data*/) override {}
  void given(size_t i, const TorchTensor& result, const TorchTensor& output) override;

 private:
  std::span<const PlacedAllocation> places_;
  size_t next_ = 0;
};

}  // namespace plimsoll
