// TokenForm: the forward pass of a network of tokens as it is trained, bound to one sample: with adapters, with the
// casts of mixed precision, and with what autograd saves of it. Blocks of the stack are counted, so that a pipeline
// stage and a checkpoint can be cut from it. Everything that `fit`, `place` and `scale` say of training such a network
// is derived from this one.
#pragma once

#include <vector>

#include "model/ir/graph.h"
#include "plan/llm/training_setup.h"
#include "plan/memory/autograd_kept.h"

namespace plimsoll {

// A stored tensor.
struct TokenTensor {
  std::string name;
  double numbers = 0;
  double bytes = 0;    // each
  int32_t block = -1;  // that reads it first; blocks: after the stack
  bool trained = false;
  bool adapter = false;
  bool expert = false;     // one of many experts' weights: divided by expert parallelism
  bool divided = false;    // a matrix of a layer: divided by tensor parallelism
  bool quantised = false;  // 4 bits and a scale for each block of 64
  bool table = false;      // of the vocabulary: embedding or head
};

struct TokenForm {
  Program forward;
  AutogradRecord autograd;
  std::vector<int32_t> block;  // of each operation: -1 before the stack, `blocks` after it
  int32_t blocks = 0;
  int64_t sequence = 0;
  int64_t width = 0;  // of the stack
  int64_t heads = 0, kv_heads = 0, experts = 0, vocabulary = 0;
  bool causal = false;
  std::optional<size_t> head;  // the operation that gives the scores of the vocabulary
  std::vector<TokenTensor> tensors;

  double params() const;
  double trained() const;
};

// Whether the graph reads tokens and has a stack of blocks: what this room answers for.
bool is_of_tokens(const Graph& graph);

Result<TokenForm> token_form(const Graph& graph, const TrainingSetup& setup);

}  // namespace plimsoll
