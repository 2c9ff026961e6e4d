// What fusions share: an operation that goes into the one before it, whose result nobody else reads.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct Merging {
  bool (*takes)(const Operation& before, const Operation& operation);  // whether it may take this one in
  bool (*goes)(const Program& program, const Operation& operation);    // into what it reads as its input 0
  void (*merge)(Program& program, Operation& before, const Operation& operation);
};

// Merges wherever both say so and they run equally often; how many went.
int64_t merge_into_producer(Program& program, const Merging& merging);

}  // namespace plimsoll
