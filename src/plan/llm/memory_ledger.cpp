#include "plan/llm/memory_ledger.h"

#include <algorithm>

namespace plimsoll {
namespace {

Bytes whole_bytes(double bytes) { return Bytes(int64_t(std::min(bytes, 4e18))); }

}  // namespace

void MemoryLedger::at(std::string operation, Phase phase) {
  now_ = std::move(operation);
  if (!moments_) return;
  moments_->push_back({now_, phase, {}});
  note();
}

void MemoryLedger::note() {
  fullest_ = sum_;
  for (size_t p = 0; p < kTokenParts; ++p) moments_->back().parts[p] = whole_bytes(in_use_[p]);
}

int32_t MemoryLedger::take(double bytes, TokenPart part, const std::string& name) {
  if (bytes < 1) return kNone;
  const Bytes size = whole_bytes(bytes);
  const int32_t block = allocator_.take(size);
  if (size_t(block) >= owners_.size()) owners_.resize(size_t(block) + 1);
  owners_[size_t(block)] = {bytes, part};
  in_use_[size_t(part)] += bytes;
  sum_ += bytes;
  if (size > largest_.bytes) largest_ = {name, size};
  if (line_ && sum_ * kGapsOfTensors > *line_ && over_.name.empty()) over_ = {name, size};
  if (moments_ && !moments_->empty() && sum_ > fullest_) note();
  if (sum_ > peak_) {
    peak_ = sum_;
    at_peak_ = in_use_;
    peak_operation_ = now_;
  }
  return block;
}

void MemoryLedger::give(int32_t block) {
  if (block == kNone) return;
  const Owner& owner = owners_[size_t(block)];
  in_use_[size_t(owner.part)] -= owner.bytes;
  sum_ -= owner.bytes;
  allocator_.give_back(block);
}

void MemoryLedger::give(const std::vector<int32_t>& blocks) {
  for (const int32_t block : blocks) give(block);
}

StepMemory MemoryLedger::memory() const {
  StepMemory memory;
  memory.allocated = whole_bytes(peak_);
  memory.reserved = allocator_.held();
  for (size_t p = 0; p < kTokenParts; ++p) memory.parts[p] = whole_bytes(at_peak_[p]);
  memory[TokenPart::slack] = memory.reserved - std::min(memory.reserved, memory.allocated);
  memory.peak_operation = peak_operation_;
  memory.largest = largest_;
  memory.over = over_;
  return memory;
}

}  // namespace plimsoll
