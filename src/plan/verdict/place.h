// place: which device to take for a job, how long it runs there and what it costs, for training and for inference.
//
// A plan belongs to network, framework and format and is shared by all devices; each device then only picks its batch
// and is timed.
#pragma once

#include "plan/time/pipeline_time.h"
#include "plan/time/step_accuracy.h"
#include "plan/time/step_time.h"
#include "plan/time/transfer.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/fit.h"
#include "plan/verdict/host_cores.h"
#include "plan/verdict/hourly_price.h"

namespace plimsoll {

// Larger batches gain little speed and cost accuracy; --batch asks for others.
inline constexpr int64_t kMostPlacedSamples = 256;

struct Job {
  const Network* network = nullptr;
  NumberFormat format;
  StepOptions step;                    // without an optimizer: inference
  std::optional<Framework> framework;  // absent: PyTorch on GPUs, our own engine on CPUs
  double load_line = 0;
  std::optional<int64_t> batch;  // of one device; absent: the largest under its line, at most kMostPlacedSamples
  int64_t samples = 1, epochs = 1;
  LoadingSetup loading;  // host_cores 0: those of the device's own host; loaders -1: one for each core
  HostMemory host_memory = HostMemory::pinned;
  std::optional<DollarsPerHour> price;  // instead of the catalog's
  std::optional<int64_t> threads;       // of a CPU; all by default
  // How PyTorch is run, on a GPU (execution.h).
  ImageLayout layout = ImageLayout::nchw;
  bool compiled = false;
  AttentionKernel attention = AttentionKernel::as_it_is;
  TorchVersion torch;
  std::optional<Device> host;  // a CPU that drives the GPU; absent: one of the GPU's age

  bool trains() const { return step.optimizer != nullptr; }
};

struct JobPlacement {
  Candidate device;
  Framework framework = Framework::plimsoll;
  bool fits = false;
  bool memory_known = true;
  int64_t batch = 0;    // of one device, in one pass
  int64_t at_once = 0;  // samples of a step: of all devices and micro-batches
  Bytes peak;
  double sample_flops = 0;  // arithmetic operations for one sample, all phases
  Bytes parameters;
  StepTime compute;
  StageTimes stages;
  Pace pace;
  Seconds exchange;  // of gradients between several devices, as far as nothing hides it
  Seconds step, epoch, total;
  const StepAccuracy* accuracy = nullptr;  // how far off such predictions were; nullptr: not known
  double samples_per_second = 0;
  std::optional<HourlyPrice> price;
  std::optional<Dollars> cost;
  std::optional<Dollars> per_million;  // samples
  std::optional<Seconds> latency;      // of one sample, in inference
  BoundBy bound_by = BoundBy::arithmetic;
  std::optional<HostCores> decode_cores;  // where samples are decoded
  std::string loading;  // how fast samples come and what that means for the device; empty when they are in memory
  std::string why_not;  // one line, when it cannot be placed or does not fit
};

class Placing {
 public:
  explicit Placing(const Job& job) : job_(job) {}

  Result<JobPlacement> on(const Candidate& candidate);

  Framework framework_on(const Candidate& candidate) const;

  // Under its load line; 0 when not even one sample is.
  Result<int64_t> largest_batch_on(const Candidate& candidate);

  // What a device runs at a batch, and how. The program is valid as long as this is.
  struct Demands {
    const TimedProgram* program;
    Execution execution;
  };
  Result<Demands> demands_on(const Candidate& candidate, int64_t batch);

  LoadingSetup loading_on(const Candidate& device) const;

 private:
  struct Load;  // the memory of the step under one framework, on devices of one kind

  Result<Load*> load_for(Framework framework, const Device& part);
  Result<const TimedProgram*> timed_at(Load& load, int64_t batch);
  Status choose_batch(JobPlacement& placement, Load& load);
  Status time(JobPlacement& placement, Load& load);
  Execution execution_with(const Load& load) const;
  void add_stages(JobPlacement& placement, const TimedProgram& program);
  void say_loading(JobPlacement& placement) const;
  void add_money(JobPlacement& placement);

  const Job& job_;
  std::map<std::string, std::shared_ptr<Load>> loads_;
};

enum class RankBy { time, money };

// What fits first, then by total time or by cost; without a price last.
void rank(std::vector<JobPlacement>& placements, RankBy by);

}  // namespace plimsoll
