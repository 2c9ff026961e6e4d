// place of a training of a network of tokens, asked by the same PlaceRequest and answered by plan/llm.
#pragma once

#include "plan/ask/place_request.h"
#include "plan/llm/token_place.h"

namespace plimsoll {

struct TokenPlaceOutcome {
  std::string model, format;
  TrainingSetup setup;  // as asked
  int64_t sequence = 0;
  double tokens = 0, load_line = 0;
  std::vector<TokenPlacement> ranked;
  std::string choice;  // empty: nothing carries it
  std::vector<std::string> reasons, notes, not_placed;
  size_t top = 20;
};
inline bool is_yes(const TokenPlaceOutcome& outcome) { return !outcome.choice.empty(); }

// Whether the request is for it; see trains_tokens().
Result<bool> is_token_place(const PlaceRequest& request);

Result<TokenPlaceOutcome> ask_token_place(const PlaceRequest& request);

// --tokens, else samples × epochs × sequence; what had to be assumed is added to `notes`.
double tokens_of(const JobRequest& work, int64_t sequence, std::vector<std::string>& notes);

// How far off such times have been, in a sentence.
std::string token_time_accuracy_text();

}  // namespace plimsoll
