// Executor: a lowered Program in its memory plan, ready to run. Made by a Backend (backend.h).
//
// It owns all memory of the plan; nothing is allocated after it is made. Not for use from several threads at once; the
// number of threads that it works with itself was fixed when the Program was lowered. What stays from step to step
// (parameters, buffers, optimizer state) is read and written between runs, as everything else that has a name.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/memory/lowering.h"
#include "plan/memory/memory_plan.h"
#include "run/exec/device_sum.h"

namespace plimsoll {

class Executor {
 public:
  virtual ~Executor() = default;

  virtual const Lowered& lowered() const = 0;
  virtual const MemoryPlan& plan() const = 0;
  const Program& program() const { return lowered().program; }

  // Copies row-major numbers of the value's type in or out, whatever layout the kernels keep them in. `bytes` is
  // exactly the value's size. Activations are only there to be read right after a run, and only those that are outputs,
  // the loss or gradients.
  virtual void write(ValueId id, std::span<const std::byte> bytes) = 0;
  virtual void read(ValueId id, std::span<std::byte> bytes) const = 0;

  // The first input that the next run will be given: a device may copy it there beside the run that is under way.
  // write_staged() then puts it in its place instead of write(); false: nothing was staged.
  virtual void stage(std::span<const std::byte> /*bytes*/) {}
  virtual bool write_staged() { return false; }

  // Means over workers' devices, where they can be taken on the devices themselves. Lives no longer than this.
  virtual Result<std::unique_ptr<DeviceSum>> device_sum() { return environment_error("the plan lies on the host"); }

  // Whether the plan's memory is this process's own to read and write. If not, it is a device's: scratch() and
  // storage() are empty, and numbers get in and out by write() and read(), which may then be called while a run is
  // under way, of values that it has finished with.
  virtual bool on_host() const { return true; }

  // Of a GPU: what is in use there, by the plan, by libraries and by others. nullopt: the plan lies on the host.
  virtual std::optional<Bytes> device_memory_in_use() const { return std::nullopt; }

  // Memory of the plan that is free between runs: where numbers wait on their way in and out, so that filling and
  // saving a network takes no memory of its own. In a training step it holds the largest parameter. What lies there is
  // lost with the next run, and reading activations after it was written to makes no sense.
  virtual std::span<std::byte> scratch() = 0;

  // Gives the memory that is free between runs back to the system until the next run: an evaluation between two epochs
  // then takes none on top. What stays from step to step stays.
  virtual void release() {}

  // Forward, loss and backward: everything but the updates. An inference is this alone.
  virtual void compute() = 0;
  // The updates: with what compute() left. Of a step in micro-batches: after as many compute() as there are of them.
  virtual void update() = 0;
  // Instead of update(): what compute() has added up of the micro-batches so far is dropped.
  virtual void drop_sums() {}

  // Of an update that adapts its rate to its layer (LARS, LAMB): by what it multiplied it last. nullopt: it does not
  // adapt, has not run yet, or the backend does not tell, as the reference does not.
  virtual std::optional<double> trust_ratio(size_t /*operation*/) const { return std::nullopt; }

  // From now on every run adds the seconds of each operation to its place in `of_each`, which has one for each of the
  // program's and lives until this is called again with nullptr.
  virtual void time_into(std::vector<Seconds>* /*of_each*/) {}

  // The value's memory as the plan has it, in the kernels' own layout, padding included; empty when it takes none. For
  // whoever works on gradients of several workers where they lie.
  virtual std::span<std::byte> storage(ValueId /*id*/) const { return {}; }

  // A value's numbers where they lie, if that is in this process's memory and in row-major order; else empty. Good for
  // as long as read() of the same value would be.
  virtual std::span<const std::byte> in_place(ValueId /*id*/) const { return {}; }

  // From now on compute() tells of each operation that it has run, on its own thread, before it runs the next one; an
  // empty function: of none. So results can leave while later operations run (step_results.h says when which are
  // final), and what an operation reads can be looked at before it is gone. Returns whoever was told until now.
  using OperationDone = std::function<void(size_t operation)>;
  virtual OperationDone tell_of_each(OperationDone /*done*/) { return {}; }  // NOLINT: kept by who overrides it

  // What an all_reduce operation does with its numbers; without it they stay as they are: those of one worker.
  virtual void add_up_with(std::function<void(std::span<double>)> /*sum*/) {}  // NOLINT: as above

  // The first operation whose result is not finite, by running the step once more and looking after each; the inputs
  // are written again before. nullopt: all are. Running statistics move once more; nothing else changes.
  virtual std::optional<std::string> first_not_finite() = 0;
  // After compute(): whether the loss and every gradient are finite.
  virtual bool finite() const = 0;
};

}  // namespace plimsoll
