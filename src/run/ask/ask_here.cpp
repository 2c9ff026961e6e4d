#include "run/ask/ask_here.h"

#include "run/exec/this_engine.h"

namespace plimsoll {

AskContext context_here() {
  AskContext context;
  context.engine = &engine_here();
  return context;
}

Result<FitOutcome> ask_fit_here(const FitRequest& request, const Network& network) {
  return ask_fit(request, network, &engine_here());
}

}  // namespace plimsoll
