// fit of a network that generates text: asked by the rows of FitRequest, answered here.
#pragma once

#include "plan/ask/fit_request.h"
#include "plan/verdict/rental.h"

namespace plimsoll {

struct ServingFitOutcome {
  std::shared_ptr<const ServedNetwork> network;  // what the question borrows
  ServingFitQuestion question;
  ServingFitAnswer answer;
  std::string model, device;     // device: empty when a size of memory was given
  std::optional<Rental> rental;  // where somebody sells it or rents it out
};
inline bool is_yes(const ServingFitOutcome& outcome) { return outcome.answer.fits; }

Result<ServingFitOutcome> ask_serving_fit(const FitRequest& request, const Network& network);

// The answer in words.
std::vector<std::string> sentences(const ServingFitOutcome& outcome);

}  // namespace plimsoll
