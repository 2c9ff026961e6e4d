// Pooling in a training step and back. The largest number of each window remembers its place in the window
// (one byte, or four for windows of more than 256 numbers), so that the input need not be kept.
//   max_pool_train:             x → y, places
//   max_pool_grad:              dy, places → dx; attributes of the pool and "input_shape", as for all below
//   average_pool_grad:          dy → dx
//   global_average_pool_grad:   dy → dx
//   adaptive_average_pool_grad: dy → dx
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& max_pool_train();
const Op& max_pool_grad();
const Op& average_pool_grad();
const Op& global_average_pool_grad();
const Op& adaptive_average_pool_grad();

}  // namespace plimsoll
