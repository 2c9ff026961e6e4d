#include "run/exec/loops/gather.h"

#include <cstring>

#include "run/exec/loops/parallel.h"
#include "run/exec/loops/strided.h"

namespace plimsoll {
namespace {

int64_t entry_of(int64_t index, int64_t entries) {
  return std::clamp<int64_t>(index < 0 ? index + entries : index, 0, entries - 1);
}

// Columns [from, to) of one table.
PLIM_CLONES void add_back(const GatherShape& shape, const float* dy, const int64_t* indices, int64_t from, int64_t to,
                          float* table) {
  for (int64_t i = 0; i < shape.count; ++i) {
    float* sums = table + entry_of(indices[i], shape.entries) * shape.block;
    const float* row = dy + i * shape.block;
#pragma omp simd
    for (int64_t k = from; k < to; ++k) sums[k] += row[k];
  }
}

}  // namespace

void gather(const GatherShape& shape, const float* table, const int64_t* indices, float* y) {
  const int64_t rows = shape.outer * shape.count;
  parallel_items(rows, rows * shape.block, [&](int64_t row) {
    const int64_t entry = entry_of(indices[row % shape.count], shape.entries), o = row / shape.count;
    std::memcpy(y + row * shape.block, table + (o * shape.entries + entry) * shape.block,
                size_t(shape.block) * sizeof(float));
  });
}

void gather_back(const GatherShape& shape, const float* dy, const int64_t* indices, float* table) {
  fill_zero(table, shape.outer * shape.entries * shape.block);
  constexpr int64_t kColumns = 64;
  const int64_t strips = (shape.block + kColumns - 1) / kColumns;
  parallel_items(shape.outer * strips, shape.outer * shape.count * shape.block, [&](int64_t item) {
    const int64_t o = item / strips, from = item % strips * kColumns, to = std::min(shape.block, from + kColumns);
    add_back(shape, dy + o * shape.count * shape.block, indices, from, to, table + o * shape.entries * shape.block);
  });
}

}  // namespace plimsoll
