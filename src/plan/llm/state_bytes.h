// state_bytes: what one stored tensor takes on one device: its numbers, its gradient and its optimizer's states, as
// they are divided over devices and left to the host.
#pragma once

#include "plan/llm/token_form.h"

namespace plimsoll {

struct StateBytes {
  double parameter = 0;
  double gradient = 0;
  double optimizer = 0;
  double gathered = 0;  // of the parameter while its block runs, where it is sharded or on the host
};

StateBytes state_bytes(const TokenTensor& tensor, const TrainingSetup& setup);

// Parts that the parameters of this tensor are divided into by tensor and expert parallelism.
double model_parts(const TokenTensor& tensor, const Degrees& degrees);

// Each device keeps a part of the gradients.
bool shards_gradients(Shard shard);

// Gradients that stay from micro-batch to micro-batch, in a buffer of their own.
bool keeps_gradients(const TrainingSetup& setup);

// f32 beside the 16-bit parameters that are trained: ZeRO's and Megatron's.
bool has_master_weights(const TrainingSetup& setup);

}  // namespace plimsoll
