// What a network of tokens weighs besides its layers: parameters that a token meets, operations a token, and what each
// token leaves in the cache of keys and values while text is generated.
#pragma once

#include <string>
#include <vector>

#include "model/ir/program.h"

namespace plimsoll {

// Layers whose caches are alike.
struct CacheWeight {
  std::string kind;  // "full", "sliding window", "latent", "state"
  int64_t layers = 0;
  Bytes per_token;     // of all these layers; 0 for a state, which does not grow
  Bytes fixed;         // whatever the length: states
  int64_t window = 0;  // tokens that are kept; 0: all
};

struct TokenWeight {
  int64_t tokens = 0;           // of a batch
  Count untied_params;          // tied weights counted as often as they are used
  Count active_params;          // that one token meets: of routed experts only the chosen
  Flops flops_per_token;        // forward, of products only: 2 a multiply-add, attention uncut by causality
  Flops train_flops_per_token;  // forward and backward, of products only
  Bytes cache_per_token;        // of all layers that keep one
  std::vector<CacheWeight> caches;
  bool causal = false;  // half of attention's scores are hidden and counted all the same

  bool present() const { return tokens > 0; }
};

// tokens 0: its first input is no text, so that only the parameters are filled in. `train_macs`: of a whole training
// step, 0 where there is none.
TokenWeight token_weight(const Program& program, Macs train_macs);

// One row for all layers of a kind: "model.layers.*.self_attn", with how many there are.
struct BlockWeight {
  std::string name;
  int64_t count = 0;  // blocks that it stands for
  Count params;
  Macs macs;
  Flops flops;
};

}  // namespace plimsoll
