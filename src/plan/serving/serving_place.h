// place for serving: each device with its speed and its price for a token, and which of them to take.
#pragma once

#include "plan/serving/serving_fit.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/hourly_price.h"

namespace plimsoll {

struct ServingPlacement {
  Candidate device;
  ServingSetup setup;  // borrows the network
  ServingFitAnswer fit;
  ServingTime time;
  bool memory_known = true;                                // else it is taken as enough
  std::optional<HourlyPrice> price;                        // of all devices together
  std::optional<Dollars> per_million_in, per_million_out;  // tokens
};

Result<ServingPlacement> serving_placement(const Candidate& candidate, const ServingSetup& setup, int64_t prompt,
                                           int64_t output, double load_line, std::optional<DollarsPerHour> price);

enum class ServingOrder : uint8_t { speed, money };

// What fits first, then by tokens a second of all sequences, or by the price of those that are written.
void rank(std::vector<ServingPlacement>& placements, ServingOrder by);

struct ServingVerdict {
  std::string choice;  // empty: nothing fits
  std::string kind;    // gpu or cpu
  std::vector<std::string> reasons;
};

// Of ranked placements.
ServingVerdict serving_verdict(const std::vector<ServingPlacement>& ranked);

}  // namespace plimsoll
