// fit for serving: is there room for so many sequences of such a length, what takes it, what is left, and which nearest
// change makes room. "Does not fit" is an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/serving/serving_time.h"

namespace plimsoll {

struct ServingFitQuestion {
  ServingSetup setup;
  Bytes memory;  // of one device
  double load_line = 0;
  bool alternatives = true;
};

// Another way that fits, and what it does to speed.
struct ServingAlternative {
  std::string change;  // "weights awq"
  int64_t concurrency = 0, context = 0;
  Bytes total;                       // of one device
  std::optional<Seconds> per_token;  // absent where it is not predicted
  int64_t devices = 1;
};

struct ServingFitAnswer {
  ServingMemory memory;
  Bytes line, shortfall, left;  // left: under the line
  bool fits = false;
  int64_t largest_concurrency = 0;               // at that context
  int64_t largest_context = 0;                   // at that concurrency
  std::string breaks;                            // what crosses the line; empty when it fits
  std::optional<ServingTime> time;               // of the full context; absent without a device
  std::vector<ServingAlternative> alternatives;  // nearest first
  std::vector<std::string> notes;
};

ServingFitAnswer serving_fit(const ServingFitQuestion& question);

bool serving_fits(const ServingSetup& setup, Bytes line);

// Both 0 when not even one sequence of one token fits.
int64_t largest_concurrency(const ServingSetup& setup, Bytes line);
int64_t largest_context(const ServingSetup& setup, Bytes line);

}  // namespace plimsoll
