// Attention of one new token with the keys and values that are kept of all before it.
#pragma once

#include <cstdint>

namespace plimsoll {

struct CachedAttention {
  int64_t batch, heads, kv_heads, head, value_head;
  int64_t positions;  // of the caches
  float scale;

  int64_t workspace() const { return batch * heads * positions; }  // floats: scores
};

struct CachedAttentionPlaces {
  const float *q, *k, *v;
  float *keys, *values;  // (batch, positions, kv_heads · head or value_head): take k and v at the position
  float *y, *work;
};

// A position outside of the caches is the nearest inside.
void cached_attention(const CachedAttention& attention, int64_t position, const CachedAttentionPlaces& places);

}  // namespace plimsoll
