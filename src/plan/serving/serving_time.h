// How long serving takes: a prompt until its first token, and a step in which every sequence gets one more token.
//
// A step reads all weights that its tokens meet and the cache of every sequence: decoding is bound by the memory's
// bandwidth until there are so many sequences that products take longer. A prompt is bound by arithmetic.
#pragma once

#include "plan/serving/serving_memory.h"

namespace plimsoll {

enum class ServingBound : uint8_t { bandwidth, arithmetic, host, link, overhead };
std::string_view name_of(ServingBound bound);

// The parts of a step, of which arithmetic is beside the reading of weights.
struct StepParts {
  Seconds weights, cache, arithmetic, kernels, exchange, host;
  Seconds total;
  ServingBound bound = ServingBound::bandwidth;
  double bytes = 0;  // read from memory
  double flops = 0;
};

// One token for each of setup.concurrency sequences, which have `seen` tokens each.
Result<StepParts> step_time(const ServingSetup& setup, double seen);

// `tokens` of one sequence after `past` that are in the cache, alone on the devices.
Result<Seconds> prompt_time(const ServingSetup& setup, double tokens, double past = 0);

struct ServingTime {
  Seconds first_token;  // the prompt, and a step of all sequences
  Seconds prompt;       // of these
  Seconds per_token;    // of each sequence
  double one = 0;       // tokens a second of one sequence
  double all = 0;       // of all of them while they write, prompts of those that follow included
  StepParts step;
};

// Sequences of `prompt` tokens get `output` more; when one is done another takes its place.
Result<ServingTime> serving_time(const ServingSetup& setup, int64_t prompt, int64_t output);

}  // namespace plimsoll
