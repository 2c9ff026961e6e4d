// MemoryLedger: what a step has in use, by what it is for, and the fullest moment so far, with PyTorch's allocator
// underneath: it tells what would be held from the driver.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "plan/llm/step_memory.h"
#include "plan/memory/framework_allocator.h"

namespace plimsoll {

class MemoryLedger {
 public:
  static constexpr int32_t kNone = -1;

  // `line`: which allocation crosses it is told; gaps between tensors count.
  explicit MemoryLedger(std::optional<double> line) : line_(line), allocator_(AllocatorKind::segments) {}

  // What runs from now on.
  void at(std::string operation, Phase phase);

  // Writes the fullest moment of each operation that runs from now on.
  void record(std::vector<TokenMoment>* moments) { moments_ = moments; }

  int32_t take(double bytes, TokenPart part, const std::string& name);  // kNone: nothing to take
  void give(int32_t block);
  void give(const std::vector<int32_t>& blocks);
  double bytes_of(int32_t block) const { return owners_[size_t(block)].bytes; }

  StepMemory memory() const;

 private:
  struct Owner {
    double bytes = 0;
    TokenPart part = TokenPart::activations;
  };

  void note();  // that the present operation has never had as much as now

  std::optional<double> line_;
  FrameworkAllocator allocator_;
  std::vector<Owner> owners_;  // by block
  std::array<double, kTokenParts> in_use_{}, at_peak_{};
  double sum_ = 0, peak_ = 0;
  std::vector<TokenMoment>* moments_ = nullptr;
  double fullest_ = 0;  // of the last of them
  std::string now_, peak_operation_;
  TokenTensorAt largest_, over_;
};

}  // namespace plimsoll
