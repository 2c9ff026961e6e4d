// oneDNN's parallel regions on our own threads (threads/threads.h). Debian's oneDNN asks OpenMP for them, whose threads
// spin against each other on a busy machine.
#pragma once

#include <cstdint>

namespace plimsoll {

// How many threads oneDNN's regions and ours have that the calling thread begins. The first call moves oneDNN's.
void use_onednn_threads(int threads);

// Whether oneDNN's regions run on our threads. If not, OpenMP runs them: as right, but slow beside other programs.
bool onednn_is_on_our_threads();
// How many did so far.
uint64_t onednn_regions();

}  // namespace plimsoll
