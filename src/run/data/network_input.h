// What a network wants of a dataset: read from its forward Program.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct NetworkInput {
  TensorType sample;            // its first input without the batch axis
  int64_t classes = 0;          // outputs of its first output; of a language model the tokens that it knows
  int64_t vocabulary = 20'000;  // entries of the table that its tokens are looked up in; of no use for pictures
  bool next_token = false;      // a language model: for each token of its input it says which one follows
};

// Whether a network that reads the one and writes the other scores every token of its input: (batch, tokens) of i64 in,
// (batch, tokens, vocabulary) out.
bool is_language_model(const TensorType& input, const TensorType& output);

// An error when the input or the output is not of a known size, or has no batch axis.
Result<NetworkInput> network_input(const Program& forward);

}  // namespace plimsoll
