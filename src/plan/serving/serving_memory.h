// What serving takes of each device's memory: weights in their format, the cache of all sequences, what a prompt on its
// way through holds at once, and the program's own part.
#pragma once

#include "plan/serving/serving_setup.h"

namespace plimsoll {

struct ServingMemory {
  Bytes weights;      // of one device
  Bytes cache;        // of all sequences, on one device
  Bytes activations;  // of a prompt, or of a step, whichever is more
  Bytes logits;       // scores of the vocabulary
  Bytes scratch;      // of the program: dequantised matrices, graphs, compute buffers
  Bytes fixed;        // the context of the driver
  Bytes on_host;      // weights and cache of layers that the host keeps

  Bytes allocated() const { return weights + cache + activations + logits + scratch; }
  Bytes total() const { return allocated() + fixed; }
};

// Of the fullest device.
ServingMemory serving_memory(const ServingSetup& setup);

// All weights as they are stored; `read`: only what a step of so many tokens reads, of experts those expected to be
// chosen by any of them, without the embedding's table.
double weight_bytes(const ServedNetwork& network, const WeightFormat& format);

struct WeightsRead {
  double dense = 0, experts = 0;  // bytes
};
WeightsRead weights_read(const ServedNetwork& network, const WeightFormat& format, double tokens, double lottery);

// How many of `experts` are chosen by at least one of so many tokens, each of which chooses `chosen`. Routing is
// uneven: only a share of those that a token leaves out take part (`lottery`, 1: all).
double expected_experts(double experts, double chosen, double tokens, double lottery);

}  // namespace plimsoll
