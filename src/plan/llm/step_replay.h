// StepReplay: one device's part of a StepTrace, forward, backward and update, allocation by allocation. Twice, since
// the optimizer's states are made by the first update and are there before the second step. Borrows what it is made
// from.
#pragma once

#include "plan/llm/device_states.h"
#include "plan/llm/gradient_flow.h"
#include "plan/llm/kept_tensors.h"

namespace plimsoll {

class StepReplay {
 public:
  StepReplay(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch,
             const PipelineStage& stage, std::optional<double> line);

  // `workspace`: bytes that cuBLAS takes for itself. `moments`: of the second step, where they are asked for.
  StepMemory run(double workspace, std::vector<TokenMoment>* moments);

 private:
  static constexpr int32_t kNone = MemoryLedger::kNone;

  void step(bool first);
  void forward(size_t micro);
  void backward(size_t micro, std::vector<int32_t>& gradients);
  void enter(int32_t block, int32_t& now, std::vector<int32_t>& gathered, bool backwards);
  void run_forward(const TraceOperation& operation, size_t micro, bool again);
  void leave(size_t few, std::vector<int32_t>& taken);
  void recompute(int32_t block, size_t micro);
  void run_backward(const TraceOperation& operation, GradientFlow& flow, std::vector<int32_t>& gradients);
  void take_weight_gradients(const TraceOperation& operation, std::vector<int32_t>& gradients);
  void done_with(const TraceOperation& operation, int32_t index, size_t micro);
  void forget(int32_t tensor, size_t micro);
  std::vector<int32_t> take_pieces(double bytes, int pieces, const TraceOperation& operation);

  const StepTrace& trace_;
  const TrainingSetup& setup_;
  const PipelineStage stage_;
  const double samples_;
  const int64_t sequence_;
  MemoryLedger ledger_;
  DeviceStates states_;
  const KeptTensors kept_;
  std::vector<std::vector<int32_t>> alive_;  // by micro-batch: the memory of each tensor
};

}  // namespace plimsoll
