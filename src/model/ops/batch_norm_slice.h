// Batch norm in a training step whose result is some of the channels of a larger tensor: what a concat would copy
// there. Several such norms write one whole, one after the other, in the same memory.
//   batch_norm_slice_train: x, scale, bias, running mean, running variance, the whole so far
//                           → the whole, new mean, new variance, mean, inverse deviation
// Attributes: those of batch_norm_train; "channels" of the whole, "first" of them that is written, and "grain", which
// divides the first channel and the number of channels of every slice. The first norm has no whole so far.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& batch_norm_slice_train();

}  // namespace plimsoll
