// Entries of a table by their index: (outer, entries, block) and `count` indices give (outer, count, block). Indices
// outside the table take its nearest end; negative ones count from its end.
#pragma once

#include <cstdint>

namespace plimsoll {

struct GatherShape {
  int64_t outer = 1, entries = 1, count = 1, block = 1;
};

void gather(const GatherShape& shape, const float* table, const int64_t* indices, float* y);

// The backward pass: each entry's gradient is the sum over its readers, in their order, whatever the number of threads.
void gather_back(const GatherShape& shape, const float* dy, const int64_t* indices, float* table);

}  // namespace plimsoll
