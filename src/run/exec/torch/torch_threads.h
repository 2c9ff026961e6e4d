// How many threads libtorch's kernels for the processor work with when this thread calls them.
#pragma once

namespace plimsoll {

// Also turns off, for this thread, what libtorch would keep for a backward pass of its own.
void use_torch_threads(int threads);

// The calling thread works on the GPU that torch was opened for, if it is one: a thread begins with the first.
void use_torch_gpu();

}  // namespace plimsoll
