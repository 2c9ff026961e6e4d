// StagedInput: where the numbers of a step's first input arrive while the step before is still computed. On a GPU they
// are copied into pinned memory of the host and from there, by a stream of its own, to a place beside the plan; the
// next step takes them from that place. On torch:cpu both copies are over when the calls return.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/units.h"
#include "run/exec/torch/gpu_runtime.h"

namespace plimsoll {

class StagedInput {
 public:
  // `place`: so many bytes on the device, borrowed.
  StagedInput(std::byte* place, size_t bytes);
  ~StagedInput();
  StagedInput(const StagedInput&) = delete;
  StagedInput& operator=(const StagedInput&) = delete;

  void bring(std::span<const std::byte> numbers);
  bool there() const { return there_; }
  void take(std::byte* to);  // what was brought last; once
  void forget() { there_ = false; }

 private:
  std::byte* place_;
  size_t bytes_;
  const GpuRuntime* gpu_;
  GpuRuntime::Stream stream_ = nullptr;
  GpuRuntime::Event copied_ = nullptr, taken_ = nullptr;
  void* pinned_ = nullptr;
  bool there_ = false, used_ = false;
};

}  // namespace plimsoll
