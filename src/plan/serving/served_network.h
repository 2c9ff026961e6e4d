// ServedNetwork: what generating text needs to know of a network: its matrices by what they are for, what a token
// leaves in the cache of each layer, and how wide a token is on its way through. Read from a bound Program, so that
// what is served is what is weighed; nothing here depends on the batch or the sequence that it was bound with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/ir/program.h"

namespace plimsoll {

// Formats of weights treat these differently.
enum class MatrixRole : uint8_t {
  embedding,  // rows are looked up, never multiplied; the head too where both are one
  head,       // from the last states to the vocabulary
  value,      // of attention
  down,       // the last one of a feed-forward block
  other,      // every other matrix of a layer
};

struct ServedMatrix {
  MatrixRole role = MatrixRole::other;
  int64_t layer = -1;  // -1: outside of the layers
  double numbers = 0;  // of one copy
  int64_t copies = 1;  // experts
  int64_t chosen = 1;  // of the copies, by each token
  bool routed() const { return copies > 1; }
};

// What generates: a layer with attention, or with a state instead.
struct ServedLayer {
  int64_t heads = 0, kv_heads = 0, head = 0, value_head = 0;  // of attention; 0: a state
  int64_t window = 0;                                         // tokens that it sees; 0: all
  double latent = 0;                                          // numbers a token leaves, where it is not keys and values
  double state = 0;                                           // numbers of a sequence that do not grow, f32

  bool shared = false;  // an earlier layer's cache

  double keys_and_values() const { return shared ? 0 : double(kv_heads) * double(head + value_head); }
};

struct ServedNetwork {
  std::string name;
  int64_t vocabulary = 0, width = 0;
  bool tied = false;                   // the head is the embedding's own table
  std::vector<ServedMatrix> matrices;  // without a tied head
  double small = 0;                    // norms and biases
  std::vector<ServedLayer> layers;
  int64_t blocks = 0;          // layers of any kind: what kernels are started for
  double forward_width = 0;    // numbers of a token in the widest feed-forward block while it computes, as PyTorch does
  double attention_width = 0;  // the same of attention: queries, keys, values and what comes out
  int64_t experts = 0, chosen = 0;  // of a layer, the most there are

  double params() const;
  // Multiply-adds of one token, without attention's scores: all but the embedding's rows, of experts the chosen.
  double macs_per_token() const;
  // Pairs of a query and a key times the numbers multiplied for them: 2 × heads × head size, for `tokens` new ones
  // after `past`. Causal: half of the square.
  double score_macs(double tokens, double past) const;
  double largest_matrix() const;
};

// An Error when nothing in it generates: no causal attention and no state.
Result<ServedNetwork> served_network(const Program& program);

}  // namespace plimsoll
