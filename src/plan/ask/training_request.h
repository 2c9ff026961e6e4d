// TrainingRequest: how a network of tokens is trained on GPUs: what is trained, what is kept, over how many devices
// which part is divided. The same rows for fit, place and scale.
#pragma once

#include "base/rows/fields.h"
#include "plan/ask/language_model.h"
#include "plan/ask/split_request.h"
#include "plan/llm/token_model.h"
#include "plan/memory/framework_profile.h"
#include "plan/verdict/candidate.h"
#include "plan/weight/weigh.h"

namespace plimsoll {

template <>
struct Form<Tuning> : TextForm<Tuning> {
  static Result<Tuning> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_tuning(called, text);
  }
  static Json write(const Tuning& value) { return text_of(value); }
};

struct TrainingRequest {
  std::optional<Tuning> method;
  std::optional<Checkpointing> checkpointing;
  std::optional<LogitsKind> logits;
  bool packing = false;
  std::optional<Shard> shard;
  std::optional<int64_t> pipeline, context_parallel, expert_parallel;
  SplitRequest split;

  // `with_workers`: scale has numbers of its own.
  void describe(Fields& fields, bool with_workers);

  // Anything that only a training of tokens on GPUs has; `split` is asked for by itself.
  bool asked() const;

  // `workers` of the setup: as asked, at least what the degrees need.
  Result<TrainingSetup> setup(const std::optional<NumberFormat>& dtype, const std::optional<std::string>& optimizer,
                              std::optional<int64_t> micro_batches, std::optional<AttentionKernel> attention) const;
};

// Whether a request is for plan/llm: a training of a network of tokens by PyTorch. An Error where only such a training
// has what was asked for.
Result<bool> trains_tokens(const ModelRequest& model, Mode mode, std::optional<Framework> framework, bool on_gpu,
                           const TrainingRequest& training);

// How devices are connected where nobody says: by their own links in nodes of eight, or as the node has it.
Wiring usual_wiring(const Candidate& device, std::vector<std::string>& notes, int64_t workers);

// The network at any length; borrows nothing.
TokenModel token_model(const ModelRequest& request);

// As asked, else the smaller of 2,048 and the network's own.
Result<int64_t> sequence_of(const ModelRequest& request);

}  // namespace plimsoll
