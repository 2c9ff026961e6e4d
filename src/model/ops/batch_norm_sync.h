// Batch norm in a training step of several workers, with the statistics of all their samples: what each brings (sums of
// its own), an all_reduce, and what is done with the sums of all. Sums are f64: two numbers a channel.
//   batch_norm_sums:       x → Σx, Σx²
//   batch_norm_train_sync: x, scale, bias, running mean, running variance, sums → as batch_norm_train
//   batch_norm_grad_sums:  dy, x, mean, inverse deviation → sums (Σdy, Σdy·n, n: x normalised), and of this worker
//                          alone dscale, dbias, which the exchange of gradients averages like all others
//   batch_norm_grad_sync:  dy, x, scale, mean, inverse deviation, sums → dx
// The attribute workers says how many there are; each has as many samples.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& batch_norm_sums();
const Op& batch_norm_train_sync();
const Op& batch_norm_grad_sums();
const Op& batch_norm_grad_sync();

}  // namespace plimsoll
