// Batch norm in a training step: the batch's own statistics normalise, the stored ones move towards them.
//   batch_norm_train: x, scale, bias, running mean, running variance → y, new mean, new variance,
//                     and for the backward pass: the batch's mean and inverse deviation
//   batch_norm_grad:  dy, x, scale, mean, inverse deviation, bias → dx, dscale, dbias
//                     where the bias is there, y was kept within the attributes low and high: nothing flows back from
//                     where it was at one of them
// With the attribute ghost every so many samples have statistics of their own, one group after another; the stored ones
// move once for each group.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& batch_norm_train();
const Op& batch_norm_grad();

// With the stored statistics instead of the batch's: dy, x, scale, mean, variance → dx, dscale, dbias.
const Op& batch_norm_grad_stored();

}  // namespace plimsoll
