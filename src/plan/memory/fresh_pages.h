// fresh_pages: what a step of PyTorch on a CPU has the system hand out anew, once it is running evenly. Large tensors
// are mapped again in every step, and so is the end of the heap where it shrinks; the first touch of each page costs
// more than the work on it (SystemHeap).
#pragma once

#include "plan/memory/lifetimes.h"

namespace plimsoll {

struct HeapUse {
  Bytes fresh;  // of one step
  Bytes most;   // ever held
};

HeapUse heap_use(const Program& program, const Lifetimes& lifetimes);

}  // namespace plimsoll
