// Over which samples batch norms take their statistics in a training step: the batch of this worker, groups of it
// (ghost batch norm, Hoffer 2017), or the batches of all workers.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

enum class BatchNormOver : uint8_t { batch, ghosts, workers };

struct BatchNormGroups {
  BatchNormOver over = BatchNormOver::batch;
  int64_t ghost = 32;   // samples of a group; the batch is a multiple of it
  int64_t workers = 1;  // each with as many samples
};

// Of a Program in its training form.
Status set_batch_norm_groups(Program& program, const BatchNormGroups& groups);

}  // namespace plimsoll
