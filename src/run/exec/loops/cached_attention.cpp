#include "run/exec/loops/cached_attention.h"

#include <cstring>
#include <limits>

#include "run/exec/loops/parallel.h"
#include "run/exec/loops/softmax.h"

namespace plimsoll {
namespace {

// Scores of a query with `count` keys, `stride` apart; returns the largest.
PLIM_CLONES float score_keys(const float* q, const float* keys, int64_t head, int64_t stride, int64_t count,
                             float scale, float* scores) {
  float largest = -std::numeric_limits<float>::infinity();
  for (int64_t t = 0; t < count; ++t) {
    const float* key = keys + t * stride;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < head; ++i) sum += q[i] * key[i];
    scores[t] = scale * sum;
    largest = largest < scores[t] ? scores[t] : largest;
  }
  return largest;
}

PLIM_CLONES void add_values(const float* shares, const float* values, int64_t head, int64_t stride, int64_t count,
                            float factor, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < head; ++i) y[i] = 0;
  for (int64_t t = 0; t < count; ++t) {
    const float share = factor * shares[t];
    const float* value = values + t * stride;
#pragma omp simd
    for (int64_t i = 0; i < head; ++i) y[i] += share * value[i];
  }
}

void keep(const CachedAttention& a, int64_t position, int64_t width, const float* rows, float* cache) {
  for (int64_t n = 0; n < a.batch; ++n)
    std::memcpy(cache + (n * a.positions + position) * width, rows + n * width, size_t(width) * sizeof(float));
}

}  // namespace

void cached_attention(const CachedAttention& a, int64_t position, const CachedAttentionPlaces& p) {
  const int64_t last = std::clamp<int64_t>(position, 0, a.positions - 1), count = last + 1;
  const int64_t key_stride = a.kv_heads * a.head, value_stride = a.kv_heads * a.value_head;
  keep(a, last, key_stride, p.k, p.keys);
  keep(a, last, value_stride, p.v, p.values);
  parallel_items(a.batch * a.heads, a.batch * a.heads * count * (a.head + a.value_head), [&](int64_t item) {
    const int64_t sample = item / a.heads, shared = item % a.heads / (a.heads / a.kv_heads);
    const float* keys = p.keys + sample * a.positions * key_stride + shared * a.head;
    const float* values = p.values + sample * a.positions * value_stride + shared * a.value_head;
    float* scores = p.work + item * a.positions;
    const float largest = score_keys(p.q + item * a.head, keys, a.head, key_stride, count, a.scale, scores);
    const float sum = exponentials(scores, largest, count, scores);
    add_values(scores, values, a.value_head, value_stride, count, 1 / sum, p.y + item * a.value_head);
  });
}

}  // namespace plimsoll
