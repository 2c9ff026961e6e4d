// How many threads libtorch's kernels for the processor work with when this thread calls them.
#pragma once

namespace plimsoll {

// Also turns off, for this thread, what libtorch would keep for a backward pass of its own.
void use_torch_threads(int threads);

}  // namespace plimsoll
