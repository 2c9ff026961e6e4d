// StepLoad: the memory of one step over the batch, as somebody takes it: our own engine (engine_load.h) or another
// framework (profiled_load.h). FrameworkLoad asks one of them, or several that differ in what they recompute.
#pragma once

#include "plan/verdict/fit.h"
#include "plan/verdict/load_curve.h"

namespace plimsoll {

// The memory there is: bytes under the line, and what of it the framework takes before the first tensor.
struct Room {
  Bytes line;
  Bytes fixed;
};

class StepLoad {
 public:
  virtual ~StepLoad() = default;

  virtual Room room(const Device* device, Bytes line) const = 0;

  virtual Result<int64_t> largest_under(const Room& room) = 0;
  virtual Result<Bytes> expected_at(int64_t batch, const Room& room) = 0;
  virtual Result<Bytes> free_at(int64_t batch) = 0;  // where there is room for everything, without the fixed part
  virtual Result<bool> carries(int64_t batch, const Room& room) = 0;
  virtual Result<BatchLoad> at(int64_t batch, const Room& room) = 0;
  virtual Result<std::optional<TensorInMemory>> first_over(int64_t batch, const Room& room) = 0;

  // Known at once, without plans and replays: too much.
  virtual Result<bool> is_past_without_packing(int64_t batch, const Room& room) = 0;
  virtual Result<Bytes> fresh_at(int64_t batch) = 0;
  virtual std::vector<std::string> notes(bool may_recompute) const = 0;
  virtual void let_go() { curve_.let_go(); }

  const BatchFamily& family() const { return *family_; }
  Result<const Program*> costed_at(int64_t batch) { return curve_.costed_at(batch); }

 protected:
  StepLoad(const BatchFamily& family, const SizeRules& rules) : family_(&family), curve_(family, rules) {}

  // A step that is built anew at every batch is not asked for at one that no memory holds.
  Result<int64_t> most_to_ask(Bytes limit, const LoadAt& load) const;

  // Of a network that was exported for one batch: that one if it is under the line, else none.
  Result<int64_t> only_batch_under(const Room& room);

  const BatchFamily* family_;
  LoadCurve curve_;
};

// Of the step that a load is of: what it is called, and all its gradients.
std::string name_at(const Program& program, int32_t operation);

template <class Storages>
Bytes gradients_of(const Storages& storages) {
  Bytes bytes;
  for (const auto& storage : storages)
    if (storage.part == MemoryPart::gradients) bytes += storage.size;
  return bytes;
}

}  // namespace plimsoll
