// TorchTime: the time of single kernels of PyTorch on modern GPUs. Products and convolutions go by tiles and waves
// (gemm_time.h) at the rate that the card reaches (reachable.h), everything else by the bytes that it passes over. The
// program is the one that PyTorch really runs: with autocast's casts (framework_autocast.h).
#pragma once

#include "plan/time/gemm_time.h"
#include "plan/time/gpu_time.h"
#include "plan/time/kernel_cost.h"
#include "plan/time/reachable.h"
#include "plan/time/torch_parameters.h"

namespace plimsoll {

class TorchTime {
 public:
  // Borrows the device and the parameters. `execution`: with the layout that runs (compiled_layout.h).
  TorchTime(const Device& device, const Execution& execution, const TimeParameters& older,
            const TorchParameters& parameters);

  // Volta and later with cuDNN 8, and GPUs of others, in formats of at most 32 bits. gpu_time.h was fitted to older
  // ones.
  static bool covers(const Device& device, const Execution& execution);

  // On the device, of all its runs in a pass. `trains`: the step has a backward pass.
  OperationTime operator()(const TimedOperation& operation, bool trains) const;

  // The same, with the numbers of the table still apart.
  KernelCost cost(const TimedOperation& operation, bool trains) const;

 private:
  using P = TorchParameters;
  struct Factors {
    TorchFactor arithmetic = nullptr, bytes = nullptr;
    TorchFactor copies = nullptr;  // bytes that are copied beside
  };
  struct Unit {
    double rate;
    bool matrix;
  };
  Unit unit_of(const TimedOperation& operation) const;
  Factors convolution(const TimedOperation& operation, bool trains) const;
  TorchFactor grouped(const TimedOperation& operation, bool trains) const;
  Factors depthwise(const TimedOperation& operation) const;
  Factors product(const TimedOperation& operation) const;
  TorchFactor pass_over(const TimedOperation& operation, bool trains) const;
  TorchFactor norm(const TimedOperation& operation, bool trains) const;
  TorchFactor fused_share(const TimedOperation& operation, bool trains) const;
  TorchFactor direction(const TimedOperation& operation) const;
  TorchFactor loading(const TimedOperation& operation) const;
  double arithmetic(const TimedOperation& operation, const Unit& unit, bool trains) const;
  KernelTerm by_channels(const TimedOperation& operation) const;
  double feeding(const TimedOperation& operation, const Unit& unit) const;
  double transform_gain(const TimedOperation& operation) const;
  double seconds_for(double bytes) const;
  bool nhwc() const { return execution_.layout == ImageLayout::nhwc; }

  bool in_32_bits() const { return element_size(execution_.dtype) >= sizeof(float); }

  const Execution execution_;
  const TimeParameters& older_;
  const TorchParameters& p_;
  Reachable reachable_;
  double units_ = 1, cache_ = 0;
  double issued_ = 1;  // operations per second if every instruction were a multiply-add
  double clock_ = 1;
  bool nvidia_ = true;
  GemmKernels general_kernels_ = GemmKernels::general;
  bool older_matrix_ = false;  // matrix units of full rate that nothing feeds asynchronously yet
  bool apple_ = false;
  bool rdna_ = false;   // AMD's desktop GPUs, for which MIOpen has few kernels
  bool packs_ = false;  // of these, two numbers of 16 bits in a lane
};

}  // namespace plimsoll
