// The largest numbers of planes in a training step and back: each remembers its place in its plane, so that the
// input need not be kept.
//   global_max_pool_train:   x → y, places
//   adaptive_max_pool_train: x → y, places
//   plane_max_grad:          dy, places → dx; attribute "input_shape"
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& global_max_pool_train();
const Op& adaptive_max_pool_train();
const Op& plane_max_grad();

}  // namespace plimsoll
