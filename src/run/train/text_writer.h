// A language model goes on with a text, token by token. Each token is drawn by chance from what the network holds
// likely after all that stands there; of more tokens than its sequence has it sees the last ones.
#pragma once

#include "run/data/text/tokenizer.h"
#include "run/exec/executor.h"

namespace plimsoll {

struct WritingOptions {
  int64_t tokens = 100;      // at most; the end of a text comes earlier
  double temperature = 0.8;  // below 1 likely tokens become likelier; 0: always the likeliest
  int64_t top_k = 0;         // only so many of the likeliest are drawn from; 0: all
  uint64_t seed = 0;
};

struct WrittenText {
  std::string prompt, text;  // UTF-8; what is none is written as U+FFFD
  int64_t tokens = 0;        // that were written
  bool ended = false;        // by the token that ends a text
  Seconds seconds;
};

// `inference`: of a batch of one, with its parameters, over the whole sequence or one token at a time (next_token.h);
// that one has room for the prompt and all tokens that are to be written.
Result<WrittenText> write_text(Executor& inference, const Tokenizer& tokenizer, const std::string& prompt,
                               const WritingOptions& options);

// Draws one by their scores; `chance` is evenly in [0, 1).
int64_t draw_token(std::span<const float> scores, const WritingOptions& options, double chance);

}  // namespace plimsoll
