#include "plan/llm/kept_tensors.h"

namespace plimsoll {

KeptTensors::KeptTensors(const StepTrace& trace, const TrainingSetup& setup)
    : trace_(trace), setup_(setup), last_reader_(trace.tensors.size(), -1), held_(trace.tensors.size(), false) {
  // The backward pass goes from the last operation to the first.
  for (size_t k = 0; k < trace.operations.size(); ++k)
    for (const int32_t t : trace.operations[k].reads)
      if (last_reader_[size_t(t)] < 0) last_reader_[size_t(t)] = int32_t(k);
  for (const int32_t t : trace.held) held_[size_t(t)] = true;
  find_boundaries();
}

void KeptTensors::find_boundaries() {
  boundary_.assign(trace_.tensors.size(), false);
  std::vector<int32_t> made(trace_.tensors.size(), -2);
  for (const auto& operation : trace_.operations)
    for (const int32_t t : operation.makes) made[size_t(t)] = operation.block;
  for (const auto& operation : trace_.operations) {
    for (const int32_t t : operation.drops)
      if (operation.block != made[size_t(t)]) boundary_[size_t(t)] = true;
    for (const int32_t t : operation.into)
      if (operation.block != made[size_t(t)]) boundary_[size_t(t)] = true;
  }
}

bool KeptTensors::checkpointed(int32_t block) const {
  return setup_.checkpointing != Checkpointing::none && block >= 0 && block < trace_.blocks;
}

bool KeptTensors::stays(int32_t tensor, const TraceOperation& by) const {
  if (held(tensor)) return true;
  const int32_t reader = last_reader(tensor);
  if (!checkpointed(by.block)) return reader >= 0;
  // The input of a block, which another one reads, stays; so do results of products where only the rest is redone.
  if (boundary_[size_t(tensor)]) return true;
  if (reader < 0) return false;
  const TraceOperation& first = trace_.operations[size_t(reader)];
  return setup_.checkpointing == Checkpointing::selective && trace_.tensors[size_t(tensor)].product &&
         first.block == by.block;
}

bool KeptTensors::stays_when_redone(int32_t tensor) const {
  return held(tensor) || last_reader(tensor) >= 0 || boundary_[size_t(tensor)];
}

}  // namespace plimsoll
