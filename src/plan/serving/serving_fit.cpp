#include "plan/serving/serving_fit.h"

#include <algorithm>

#include "plan/serving/serving_alternatives.h"
#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

// The largest number up to `most` that passes; 0: none does. What passes for one passes for all smaller ones.
template <class Passes>
int64_t largest_that(int64_t most, Passes passes) {
  if (!passes(1)) return 0;
  int64_t good = 1, bad = most + 1;
  while (bad - good > 1) {
    const int64_t middle = good + (bad - good) / 2;
    (passes(middle) ? good : bad) = middle;
  }
  return good;
}

// In the order in which they are taken.
std::string what_breaks(const ServingMemory& memory, Bytes line) {
  Bytes sum = memory.fixed + memory.scratch;
  if (sum > line) return "the program's own part";
  sum += memory.weights;
  if (sum > line) return "the weights";
  sum += memory.cache;
  if (sum > line) return "the cache of keys and values";
  return memory.logits > memory.activations ? "the scores of the vocabulary" : "the activations of a prompt";
}

}  // namespace

bool serving_fits(const ServingSetup& setup, Bytes line) { return serving_memory(setup).total() <= line; }

int64_t largest_concurrency(const ServingSetup& setup, Bytes line) {
  ServingSetup changed = setup;
  return largest_that(kMostSequences, [&](int64_t sequences) {
    changed.concurrency = sequences;
    return serving_fits(changed, line);
  });
}

int64_t largest_context(const ServingSetup& setup, Bytes line) {
  ServingSetup changed = setup;
  const bool whole = setup.prompt == setup.context;
  return largest_that(kLongestContext, [&](int64_t tokens) {
    changed.context = tokens;
    changed.prompt = whole ? tokens : std::min(setup.prompt, tokens);
    return serving_fits(changed, line);
  });
}

ServingFitAnswer serving_fit(const ServingFitQuestion& question) {
  const ServingSetup& setup = question.setup;
  ServingFitAnswer answer;
  answer.memory = serving_memory(setup);
  answer.line = bytes_under_line(question.memory, question.load_line);
  const Bytes total = answer.memory.total();
  answer.fits = total <= answer.line;
  if (answer.fits) answer.left = answer.line - total;
  else answer.shortfall = total - answer.line;
  answer.largest_concurrency = largest_concurrency(setup, answer.line);
  answer.largest_context = largest_context(setup, answer.line);
  if (!answer.fits) answer.breaks = what_breaks(answer.memory, answer.line);
  if (setup.device) {
    const int64_t output = std::max<int64_t>(1, setup.context - setup.prompt);
    if (auto time = serving_time(setup, setup.context - output, output); time.ok()) answer.time = *time;
    else answer.notes.push_back(time.error().line());
  }
  if (!answer.fits && question.alternatives) answer.alternatives = serving_alternatives(setup, answer.line);
  return answer;
}

}  // namespace plimsoll
