// TorchCpuTime: the time of single operations of PyTorch on a CPU: the newest version, eager, images as NCHW.
//
// Products and convolutions go by the rate that a large product reaches. Convolutions run in oneDNN's layout, with
// channels in blocks: each copies its input there and its result back. Everything else is one pass over memory an
// operation, at the speed of the last cache where its tensors fit there, or as long as its arithmetic takes: batch
// norms and poolings are bound by that. Memory that the system hands out anew in every step (plan/memory/fresh_pages.h)
// is paid for by the page.
#pragma once

#include "plan/time/gpu_time.h"
#include "plan/time/torch_cpu_parameters.h"

namespace plimsoll {

class TorchCpuTime {
 public:
  // Borrows the device and the parameters, not the execution.
  TorchCpuTime(const Device& device, const Execution& execution, const TorchCpuParameters& parameters);

  OperationTime operator()(const TimedOperation& operation, bool trains) const;

  // What a large product in that format and a large copy reach: as measured, else by peak and bandwidth.
  static FlopsPerSecond gemm_rate(const Device& device, DType format);
  static BytesPerSecond copy_rate(const Device& device);

 private:
  double product_rate(const TimedOperation& operation) const;  // operations a second
  double conv_share(const TimedOperation& operation) const;
  double arithmetic_per_byte(const TimedOperation& operation, bool trains) const;
  double copied(const TimedOperation& operation) const;  // bytes that a convolution rearranges
  double seconds_for(double bytes) const;

  const Device& device_;
  const TorchCpuParameters& p_;
  double cores_ = 1;        // share of them that is used
  double all_cores_ = 1e9;  // their f32 peak, operations a second
  double bandwidth_ = 1e9, cache_ = 0;
  bool alone_ = false;  // one thread
};

// What the first touch of so many bytes takes, in every step: as probe measured it, else as on a usual machine.
Seconds fresh_memory_time(const Device& device, const Execution& execution, Bytes bytes);

}  // namespace plimsoll
