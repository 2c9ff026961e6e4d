// How long one call of attention over a paged cache takes in vLLM: a block of threads for each sequence and each head
// of keys goes through the keys 64 at a time; where those blocks are fewer than the multiprocessors hold, the keys are
// split among more of them. What is waited for is the memory, the longest block, or rounds of blocks that are small.
//
// The constants are fitted to kernels measured on four cards; tests/numeric/serving_kernels_test.cpp fits them again
// without each card and holds them to it.
#pragma once

#include "base/units.h"
#include "plan/serving/kernel_machine.h"

namespace plimsoll {

struct AttentionCall {
  double sequences = 1;
  double tokens = 1;  // of each, that are new
  double seen = 1;    // keys of each, the new ones among them
  double heads = 1, kv_heads = 1, head = 128;
  double bytes = 2;   // of a number in the cache
  double window = 0;  // keys that each token sees at most; 0: all
};

struct CallTime {
  Seconds start, work;
  Seconds total() const { return {start.value + work.value}; }
};

// One new token a sequence.
struct DecodeConstants {
  double start = 10.6e-6;
  double bandwidth_share = 0.90, l2_times = 1.66;  // what is still in the L2 cache comes so much faster
  double key_tile = 5.9e-9;                        // 64 keys of one block, for each number of a head
  double round = 3.39e-6;                          // a block on every multiprocessor; a head of 128 numbers
  double row = 35e-9;                              // a query and its answer
  double copies = 4.1e-6;   // queries of a shared head are put side by side, and back (FlashAttention 2)
  double combine = 2.3e-6;  // what split keys have given
  double blackwell_round = 0.39, blackwell_start = 0.74;
};
CallTime decode_attention(const AttentionCall& call, const KernelMachine& machine, const DecodeConstants& c = {});

// Many new tokens, each of which sees those before it.
struct PromptConstants {
  double start = 10.6e-6;
  double products_share = 0.557;
  double round = 2.2e-6;         // 64 queries on every multiprocessor; a head of 128 numbers
  double bandwidth_share = 1.5;  // of queries and answers, partly from caches
  double write_share = 0.136;    // keys and values into their pages
};
CallTime prompt_attention(const AttentionCall& call, const KernelMachine& machine, const PromptConstants& c = {});

}  // namespace plimsoll
