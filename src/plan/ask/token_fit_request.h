// fit of a training of a network of tokens, asked by the same FitRequest and answered by plan/llm.
#pragma once

#include "plan/ask/fit_request.h"
#include "plan/llm/token_fit.h"
#include "plan/verdict/rental.h"

namespace plimsoll {

struct TokenFitOutcome {
  std::string model, device;  // device: empty when a size of memory was given
  Bytes memory;
  double load_line = 0;
  std::string format;
  TokenFitAnswer answer;
  std::optional<Rental> rental;  // where somebody sells it or rents it out

  bool fits() const { return answer.asked ? answer.fits : answer.largest > 0; }
};
inline bool is_yes(const TokenFitOutcome& outcome) { return outcome.fits(); }

// Whether the request is for it; see trains_tokens().
Result<bool> is_token_fit(const FitRequest& request);

// `with_step`: operation by operation too.
Result<TokenFitOutcome> ask_token_fit(const FitRequest& request, bool with_step = false);

// The answer in words, without the name of a network or a file.
std::vector<std::string> sentences(const TokenFitOutcome& outcome);

// "LoRA of rank 16 on q, v", "full fine-tuning"
std::string method_text(const Tuning& tuning);
// "2 × tensor parallel 8 × pipeline 4, zero1"; empty for one device
std::string plan_text(const TrainingSetup& setup);

}  // namespace plimsoll
