// ServingRequest: the rows of fit and place that are about text being generated (mode generate), and what both make of
// them.
#pragma once

#include "base/rows/fields.h"
#include "plan/ask/machine_request.h"
#include "plan/ask/split_request.h"
#include "plan/serving/serving_fit.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/network.h"
#include "plan/weight/weigh.h"

namespace plimsoll {

struct ServingRequest {
  std::optional<int64_t> context, concurrency, prompt_tokens, output_tokens;
  std::optional<std::string> weights, kv;

  void describe(Fields& fields);
};

// A framework that serves is for generating only, and only such a one generates.
Status check_framework(std::optional<Framework> framework, Mode mode);

Result<std::shared_ptr<const ServedNetwork>> read_served_network(const Network& network);

// How the network would be served there; without a candidate only its memory is planned. The setup borrows the network.
// With the weights of a .gguf in its own format, where nobody asked for another and what serves can read it.
ServingRequest with_own_weights(const ServingRequest& request, const std::string& model,
                                std::optional<Framework> framework);

Result<ServingSetup> serving_setup(const ServingRequest& request, const SplitRequest& split,
                                   std::optional<Framework> framework, const ServedNetwork& network,
                                   const Candidate* candidate);

}  // namespace plimsoll
