// How long the experts of one layer take in vLLM, all of their products together: the weights of those that any token
// chose are read, each expert's tokens are computed in tiles, and every token's states are sorted, copied and added up
// again. Fitted as paged_attention.h, to experts in 16 bits on four cards.
#pragma once

#include "plan/serving/paged_attention.h"

namespace plimsoll {

struct ExpertCall {
  double tokens = 1, chosen = 1, experts = 1;
  double read = 1;     // experts that any of the tokens chose
  double numbers = 1;  // of one expert: its two or three matrices
  double width = 1;    // of a token's states
  double bytes = 2;    // of a number
};

struct ExpertConstants {
  double start = 27.8e-6;
  double bandwidth_share = 0.96, products_share = 0.40, states_share = 0.42;
  double expert = 89e-9;  // each, chosen or not: its tokens are counted and its tiles listed
};
CallTime expert_products(const ExpertCall& call, const KernelMachine& machine, const ExpertConstants& c = {});

}  // namespace plimsoll
