// PlannedExecutor: what executors share: the lowered Program, its plan and memory, and the order in which operations
// run. A backend adds how one operation runs and how numbers get in and out of its layouts.
#pragma once

#include <memory>
#include <utility>

#include "run/exec/executor.h"
#include "run/exec/planned_memory.h"

namespace plimsoll {

class PlannedExecutor : public Executor {
 public:
  const Lowered& lowered() const override { return *lowered_; }
  const MemoryPlan& plan() const override { return *plan_; }
  std::span<std::byte> scratch() override { return memory_.arena(); }
  void release() override { memory_.release_arena(); }

  std::span<std::byte> storage(ValueId id) const override;
  void compute() override { run(0, first_update_); }
  void update() override;
  void drop_sums() override;
  void time_into(std::vector<Seconds>* of_each) override;
  OperationDone tell_of_each(OperationDone done) override { return std::exchange(done_, std::move(done)); }
  void add_up_with(std::function<void(std::span<double>)> sum) override { sum_ = std::move(sum); }
  std::optional<std::string> first_not_finite() override;
  bool finite() const override;

 protected:
  PlannedExecutor(std::unique_ptr<Lowered> lowered, std::unique_ptr<MemoryPlan> plan, PlannedMemory memory);

  virtual void run_operation(size_t index) = 0;
  virtual void wait() {}  // for what was run, where that is computed later; only while operations are timed
  // What looks at numbers or writes them outside of operations; a device has its own way.
  virtual bool finite(ValueId id) const;
  virtual void clear(ValueId id);  // to zeros
  const std::vector<ValueId>& gradients() const { return gradients_; }

  // Writes the contents that the Program itself has. For constructors of backends, once values can be written.
  void fill_constants();
  void check_size(ValueId id, size_t bytes) const;

  const PlannedMemory& memory() const { return memory_; }

  // Memory for a Program that works on the stored values (parameters, buffers) of `host`, in its free memory.
  static Result<PlannedMemory> memory_beside(const Program& program, const MemoryPlan& plan, Executor& host,
                                             const DeviceMemory* device = nullptr);

 private:
  void run(size_t first, size_t last);
  void run_and_tell(size_t index);
  void add_up(ValueId sums);

  std::unique_ptr<Lowered> lowered_;
  std::unique_ptr<MemoryPlan> plan_;
  PlannedMemory memory_;  // borrows the plan
  size_t first_update_ = 0;
  std::vector<ValueId> gradients_;  // as compute() leaves them
  OperationDone done_;
  std::function<void(std::span<double>)> sum_;
  std::vector<Seconds>* timed_ = nullptr;  // borrowed; nullptr: nothing is timed
};

}  // namespace plimsoll
