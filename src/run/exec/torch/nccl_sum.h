// NcclSum: means over the workers' GPUs by NCCL, on a stream of their own: each begins after an event of the stream
// that computes, and that stream waits for the last before it goes on to the updates. On torch:cpu, with a stand-in
// for NCCL, there are no streams: a mean is over when begin() returns.
#pragma once

#include <memory>
#include <vector>

#include "run/exec/device_sum.h"
#include "run/exec/torch/gpu_runtime.h"
#include "run/exec/torch/nccl.h"
#include "run/exec/torch/torch_executor.h"

namespace plimsoll {

class NcclSum : public DeviceSum {
 public:
  // Borrows the executor. `squares`: memory of the device for two numbers, each on a line of its own.
  NcclSum(const Nccl& nccl, TorchExecutor& executor, std::byte* squares);
  ~NcclSum() override;

  Result<Id> new_id() override { return nccl_.new_id(); }
  Status join(const Id& id, int rank, int workers) override;
  void begin(std::span<const ValueId> values, bool gradients) override;
  DeviceMeans finish() override;

 private:
  struct Timed {
    GpuRuntime::Event begun = nullptr, done = nullptr;
  };
  void add_squares(std::span<const ValueId> values, const TorchTensor& to);
  Status take_scratch();
  void clear_squares();
  Timed& next_events();

  const Nccl& nccl_;
  TorchExecutor& executor_;
  const GpuRuntime* gpu_;  // nullptr: torch:cpu
  GpuRuntime::Stream stream_ = nullptr;
  GpuRuntime::Event ready_ = nullptr;
  std::unique_ptr<Nccl::Group> group_;
  TorchTensor own_square_, mean_square_;
  std::shared_ptr<std::byte> scratch_;  // for what a square allocates meanwhile
  size_t scratch_bytes_ = 0;
  std::vector<ValueId> gradients_;  // of this step so far
  std::vector<Timed> events_;       // one for each begin() of a step
  size_t used_ = 0;
  double busy_ = 0;  // seconds, without streams
};

}  // namespace plimsoll
