// Dropout in a training step: each number is zeroed with the probability `ratio`, the rest scaled up so that the
// mean stays.
//   dropout_train: x, ratio, training mode, counters (seed, step, first sample: i64) → y, mask
//   dropout_grad:  dy, mask → dx
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& dropout_train();
const Op& dropout_grad();

}  // namespace plimsoll
