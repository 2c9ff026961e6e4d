// Attention in tiles: scores of some queries with some keys are formed, used and forgotten, so that memory grows with
// the length of a sequence and not with its square (Dao 2022). The backward pass forms them again. Tiles that nobody
// sees are left out.
//
// Queries are (batch, sequence, heads · head), keys and values (batch, seen, kv_heads · head or value_head), row-major;
// heads / kv_heads queries share a key. One head of keys and values of one sample is one item of work.
#pragma once

#include <cstdint>

namespace plimsoll {

struct TiledAttention {
  int64_t batch = 0, sequence = 0, seen = 0;
  int64_t heads = 1, kv_heads = 1, head = 0, value_head = 0;
  float scale = 1;
  bool causal = false;
  // A bias of the scores, (samples, heads or 1, sequence, seen), repeating where it has fewer samples; 0: none.
  int64_t bias_samples = 0, bias_heads = 1;
  // Of the shares a number below the threshold, of 53 random bits, is dropped; the others grow.
  uint64_t threshold = 0;
  float kept_scale = 1;
  int threads = 1;

  int64_t bias_floats() const { return bias_samples * bias_heads * sequence * seen; }
};

// What decides which shares are dropped: sample n has scatter_bits(step ^ (first_sample + n)) as its key.
struct DropoutKey {
  uint64_t step = 0, first_sample = 0;
};

struct AttentionForward {
  const float *q, *k, *v, *bias;
  DropoutKey key;
  float *y, *log_sums;  // of each sample, head and query
  float* work;
};

struct AttentionBackward {
  const float *dy, *q, *k, *v, *bias, *log_sums, *y;
  DropoutKey key;
  float *dq, *dk, *dv, *dbias;  // nullptr: not wanted
  float* work;
};

// The loops of one instruction set; spaces in floats.
struct AttentionLoops {
  int64_t (*space)(const TiledAttention&);
  int64_t (*gradient_space)(const TiledAttention&);
  void (*forward)(const TiledAttention&, const AttentionForward&);
  void (*backward)(const TiledAttention&, const AttentionBackward&);
};

// Of this machine, where tiled_conv_block() is not 0.
const AttentionLoops& attention_loops();

}  // namespace plimsoll
