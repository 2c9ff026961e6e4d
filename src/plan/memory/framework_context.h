// What a framework's process takes on a device before the first tensor: the driver's context, the code of all
// kernels, library handles, and memory that is kept away from tensors.
#pragma once

#include "plan/devices/device.h"

namespace plimsoll {

// PyTorch: kernel code by generation, and stacks for each multiprocessor. nullptr: a GPU of which nothing is known.
Bytes pytorch_context(const Device* device);

// TensorFlow: what it leaves to the system of the device's memory, and what it cannot see of it.
Bytes tensorflow_reserve(const Device* device);

}  // namespace plimsoll
