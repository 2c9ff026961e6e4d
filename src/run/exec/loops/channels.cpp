#include "run/exec/loops/channels.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostLanes = 16;

PLIM_CLONES void sum_piece(const float* x, int64_t places, int64_t block, float* sums) {
  float sum[kMostLanes] = {};
  for (int64_t i = 0; i < places; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < block; ++k) sum[k] += x[i * block + k];
  }
  for (int64_t k = 0; k < block; ++k) sums[k] = sum[k];
}

PLIM_CLONES void scale_piece(const float* x, int64_t places, int64_t block, const float* factor, const float* offset,
                             float* y) {
  for (int64_t i = 0; i < places; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < block; ++k) y[i * block + k] = x[i * block + k] * factor[k] + offset[k];
  }
}

}  // namespace

void sum_channels(const ChannelRows& rows, const float* x, bool over_batch, float* sums, float* work) {
  const int64_t pieces = rows.batch * rows.blocks(), lanes = rows.lanes();
  parallel_items(pieces, pieces * rows.piece(),
                 [&](int64_t i) { sum_piece(x + i * rows.piece(), rows.places, rows.block, work + i * rows.block); });
  for (int64_t c = 0; c < rows.channels; ++c) {
    float sum = 0;
    for (int64_t n = 0; n < rows.batch; ++n) {
      sum += work[n * lanes + c];
      if (!over_batch) sums[n * rows.channels + c] = work[n * lanes + c];
    }
    if (over_batch) sums[c] = sum;
  }
}

void apply_channels(const ChannelRows& rows, const float* x, const float* part, bool each_sample, bool product,
                    float* y) {
  const int64_t pieces = rows.batch * rows.blocks();
  parallel_items(pieces, pieces * rows.piece(), [&](int64_t i) {
    const int64_t first = i % rows.blocks() * rows.block, sample = i / rows.blocks();
    const float* numbers = part + (each_sample ? sample * rows.channels : 0);
    float factor[kMostLanes], offset[kMostLanes];
    for (int64_t k = 0; k < rows.block; ++k) {
      const float number = first + k < rows.channels ? numbers[first + k] : 0;
      factor[k] = product ? number : 1;
      offset[k] = product ? 0 : number;
    }
    scale_piece(x + i * rows.piece(), rows.places, rows.block, factor, offset, y + i * rows.piece());
  });
}

}  // namespace plimsoll
