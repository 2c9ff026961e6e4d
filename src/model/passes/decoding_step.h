// decoding_step: a decoder that reads one token at a time. Keys and values of the tokens before lie in caches, states
// of the step, so that a token costs one pass over the weights and not one over the whole sequence.
#pragma once

#include <optional>

#include "model/ir/program.h"

namespace plimsoll {

// `whole` and `one` are the forward pass of one sample of one network, over the whole sequence and over one token. The
// result is `one` with a second input, the token's position, and caches for as many tokens as `whole` reads; tokens are
// to be given from position 0 on. nullopt: some operation mixes tokens in another way than attention that looks back.
std::optional<Program> decoding_step(const Program& whole, Program one);

}  // namespace plimsoll
