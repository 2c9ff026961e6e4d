// fit: the largest batch under the load line, or whether a given one stays under it; what takes the memory, what would
// carry more. "Does not fit" is an answer here, not an error.
#pragma once

#include "plan/devices/device.h"
#include "plan/memory/framework_peak.h"
#include "plan/memory/lowering.h"
#include "plan/memory/memory_plan.h"
#include "plan/time/execution.h"
#include "plan/verdict/network.h"

namespace plimsoll {

inline constexpr int64_t kMostSamples = 1'000'000'000;  // no larger batch is looked for

struct FitQuestion {
  const Network* network = nullptr;
  NumberFormat format;
  StepOptions step;  // without an optimizer: inference
  Framework framework = Framework::plimsoll;
  std::optional<Device> device;  // the part that computes; absent when only a size of memory is given
  Bytes memory;
  double load_line = 0;
  std::optional<int64_t> batch;  // is this one under the line?
  bool alternatives = true;      // look for them too, which takes longer than all else
  std::vector<ConvMethod> conv_methods{std::begin(kConvMethods), std::end(kConvMethods)};  // execution.h
  // How PyTorch is run, on a GPU (execution.h).
  ImageLayout layout = ImageLayout::nchw;
  bool compiled = false;
  AttentionKernel attention = AttentionKernel::as_it_is;
  TorchVersion torch;
  const Lowering* lowering = nullptr;  // how our engine would really run it here; nullptr: plain layouts, nothing else
};

// The memory of a step, operation by operation. Its largest sum is the peak.
struct MemoryTimeline {
  std::vector<Bytes> tensors;
  std::vector<Bytes> workspace;  // scratch memory, and what an allocator rounds up to
  Bytes fixed;                   // all the time: the context, and what is held or lost in gaps beyond what is in use

  Bytes at(size_t operation) const { return fixed + tensors[operation] + workspace[operation]; }
  std::vector<Bytes> sums() const;
};

// The memory of one batch.
struct BatchLoad {
  int64_t batch = 0;
  PeakRange peak;   // where there is room for everything that a framework likes to have
  Bytes needed;     // to run at all: nothing cached, no scratch memory that can be done without; decides what fits
  Bytes reserved;   // of the peak by the framework's allocator, without the context
  Bytes allocated;  // of that in tensors and scratch memory
  MemoryBreakdown breakdown;  // at the peak, with the fixed part
  Bytes gradients;            // of all parameters; at the peak not all need be there
  std::optional<Bytes> kept;  // of a training in another framework: what autograd keeps (kept_for_backward.h)
  std::optional<TensorInMemory> largest_tensor;
  std::optional<Bytes> arena;           // of our own engine, which packs
  Bytes bound;                          // the largest sum of live bytes, with the fixed part
  std::vector<TensorInMemory> at_peak;  // what is alive then, the largest first
  std::string peak_operation;
  std::map<ConvMethod, int64_t> conv_methods;  // of our own engine here: how many convolutions are computed how
  MemoryTimeline timeline;
};

// Another way, and the batch that it carries.
struct Alternative {
  std::string change;              // "amp: f32 parameters, f16 activations"
  int64_t batch = 0;               // the largest under the line; of all devices or micro-batches together
  std::optional<double> slowdown;  // time per sample against the present way; absent when not predicted
};

struct FitAnswer {
  BatchLoad load;                  // of the batch asked for, else of the largest, else of one sample
  bool asked = false;              // for a certain batch
  bool fits = false;               // that batch is under the line
  int64_t largest = 0;             // under the line; 0: not even one sample
  std::optional<Bytes> next_peak;  // of one sample more than the largest
  Bytes line;
  Bytes shortfall;                                // past the line; 0 when it fits
  std::optional<TensorInMemory> breaking_tensor;  // whose allocation crosses the line
  Bytes evaluation_peak;                          // of an inference with that batch
  Bytes smallest_memory;                          // that would carry the batch
  std::vector<Alternative> alternatives;          // best first
  Uncounted uncounted;                            // by which all of this is a lower bound
  std::vector<std::string> notes;
};

Result<FitAnswer> fit(const FitQuestion& question);

// Only whether the batch that is asked for, else one sample, is under the line.
Result<bool> is_under_line(const FitQuestion& question);

}  // namespace plimsoll
