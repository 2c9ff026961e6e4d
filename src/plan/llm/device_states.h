// DeviceStates: parameters, gradients and states of the optimizer on one device of those that share a training, as they
// are divided over devices, and the buffers that exchanging them takes. Borrows all that it is made from.
#pragma once

#include "plan/llm/memory_ledger.h"
#include "plan/llm/pipeline_stage.h"
#include "plan/llm/state_bytes.h"

namespace plimsoll {

class DeviceStates {
 public:
  DeviceStates(const TokenForm& form, int32_t blocks, const TrainingSetup& setup, const PipelineStage& stage,
               MemoryLedger& ledger);

  void take_parameters();  // and gradients that stay
  void take_buffers();     // of exchanges, all the time
  void take_optimizer();   // made by its first update
  void update();

  double gathered(int32_t block) const { return of(block).gathered; }  // sharded parameters while the block runs
  double whole_gradients(int32_t block) const;  // before they are added up and each device keeps its part; 0: at once

 private:
  struct Block {
    double gathered = 0;
    std::vector<StateBytes> bytes;
    std::vector<const TokenTensor*> tensors;
  };

  const Block& of(int32_t block) const { return blocks_[size_t(block + 1)]; }

  const TrainingSetup& setup_;
  MemoryLedger& ledger_;
  std::vector<Block> blocks_;  // from before the stack to after it
};

}  // namespace plimsoll
