// token_place: a training of so many tokens on a device or a node: the plan that is quickest there of those that fit,
// tokens a second, time and money.
#pragma once

#include "plan/llm/token_fit.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/hourly_price.h"

namespace plimsoll {

struct TokenJob {
  TokenModel* model = nullptr;
  TrainingSetup setup;  // its workers: 0 for as many as a device has
  // Where nobody asked. Logits in chunks are taken where nothing else fits.
  bool chooses_shard = true, chooses_checkpointing = true, chooses_logits = true;
  int64_t sequence = 0;
  std::optional<int64_t> batch;  // micro-batch of a device
  double tokens = 0;
  double load_line = 0;
  std::optional<DollarsPerHour> price;
};

struct TokenPlacement {
  Candidate device;
  TrainingSetup setup;
  int64_t batch = 0;
  bool fits = false;
  StepMemory memory;
  TokenTime time;
  Seconds total;
  double devices_paid = 1;  // of what has the price
  std::optional<HourlyPrice> price;
  std::optional<Dollars> cost, per_million;  // tokens
  std::string why_not;
};

Result<TokenPlacement> token_place(const TokenJob& job, const Candidate& device, const Wiring& wiring);

// Time and money of a placement whose step is known.
void add_cost(const TokenJob& job, TokenPlacement& placement);

// The quickest micro-batch of those under the line, for one plan; not even one: fits is false and one sample is timed.
Result<TokenPlacement> token_plan(const TokenJob& job, const TrainingSetup& setup, const Candidate& device,
                                  const Wiring& wiring, int64_t most);

}  // namespace plimsoll
