// TorchExecutor: a step on the device of the user's libtorch, in planned memory that is the device's. The host reaches
// it by copies only.
#pragma once

#include "run/exec/planned_executor.h"
#include "run/exec/torch/arena_guard.h"
#include "run/exec/torch/host_step.h"
#include "run/exec/torch/staged_input.h"
#include "run/exec/torch/torch_lowering.h"

namespace plimsoll {

class TorchExecutor : public PlannedExecutor {
 public:
  static Result<std::unique_ptr<Executor>> make(std::unique_ptr<TorchLowered> lowered, MemoryPlan plan);
  static Result<std::unique_ptr<Executor>> make_beside(std::unique_ptr<TorchLowered> lowered, Executor& host);

  bool on_host() const override { return false; }
  std::span<std::byte> scratch() override { return {}; }
  std::span<std::byte> storage(ValueId /*id*/) const override { return {}; }
  void release() override {}
  void write(ValueId id, std::span<const std::byte> bytes) override;
  void read(ValueId id, std::span<std::byte> bytes) const override;
  void compute() override;
  void update() override;
  bool finite() const override;
  std::optional<Bytes> device_memory_in_use() const override;
  void stage(std::span<const std::byte> bytes) override;
  bool write_staged() override;
  Result<std::unique_ptr<DeviceSum>> device_sum() override;

  // For what works on its values beside the step: where they lie, leave to touch them, and whether all calls went well.
  using PlannedExecutor::gradients;
  std::byte* place_of(ValueId id) const { return memory().of(id); }
  ArenaGuard::Opened open_memory() const { return ArenaGuard::Opened(guard_.get()); }
  void check_calls(const char* what) const;

  // Of the device, between runs; guarded memory is nobody's.
  std::span<std::byte> free_memory() const { return guard_ ? std::span<std::byte>() : memory().arena(); }

 protected:
  void run_operation(size_t index) override;
  void wait() override;
  bool finite(ValueId id) const override;
  void clear(ValueId id) override;

 private:
  // One operation: at most one of them is there. None: a view.
  struct Step {
    TorchKernel kernel;
    TorchOperands operands;
    std::vector<PlacedAllocation> places;
    std::unique_ptr<HostStep> on_host;
  };

  TorchExecutor(std::unique_ptr<TorchLowered> lowered, std::unique_ptr<MemoryPlan> plan, PlannedMemory memory,
                std::shared_ptr<ArenaGuard> guard);
  void prepare(size_t index, TorchKernel kernel, const AllocationRecord& record);
  void make_numbers();
  void make_staging();
  TorchTensor tensor(ValueId id) const;
  bool all_finite(const std::vector<ValueId>& ids) const;

  std::shared_ptr<ArenaGuard> guard_;  // nullptr: nothing is guarded
  const int threads_;
  std::vector<Step> steps_;
  std::shared_ptr<std::byte> own_numbers_;
  std::byte* numbers_ = nullptr;     // on the device, each on a line of its own
  TorchTensor not_finite_, factor_;  // two of them, for looking at gradients
  std::shared_ptr<std::byte> own_staging_;
  std::unique_ptr<StagedInput> staged_;
};

}  // namespace plimsoll
