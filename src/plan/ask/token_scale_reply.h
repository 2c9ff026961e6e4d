// What scale answers for a training of a network of tokens, key by key.
#pragma once

#include "plan/ask/scale_reply.h"
#include "plan/ask/token_place_reply.h"
#include "plan/ask/token_scale_request.h"

namespace plimsoll {

inline std::string_view schema_name(const TokenScaleRun*) { return "TokenRun"; }

template <class V>
void describe(V& row, const TokenScaleRun* r) {
  row("workers", "devices", [=] { return r->placement.setup.degrees.workers; });
  row("fits", "", [=] { return r->placement.fits; });
  row("plan", "how the training is divided", [=] { return PlanReply{r->placement.setup, r->placement.batch}; });
  row("needed_bytes", "memory of one device", [=] { return r->placement.memory.needed(); });
  row("step_seconds", "", [=] { return r->placement.time.step; });
  row("step_tokens", "of all devices", [=] { return r->placement.time.tokens; });
  row("tokens_per_second", "of all devices", [=] { return r->placement.time.tokens_per_second; });
  row("mfu", "share of the peak that products take", [=] { return r->placement.time.mfu; });
  row("efficiency", "tokens a second of a device against those of the smallest number of devices",
      [=] { return r->efficiency; });
  row("bubble_seconds", "of a pipeline, of a step", [=] { return r->placement.time.bubble; });
  row("exposed_seconds", "exchange of parameters and gradients that nothing hides",
      [=] { return r->placement.time.shard_exchange; });
  row("total_seconds", "of the job", [=] { return r->placement.total; });
  row("cost", "of the job in USD; null without a price", [=] { return OrNull{amount(r->placement.cost)}; });
  row("bound_by", "what most of the step goes to", [=] { return r->placement.time.bound_by; });
  row("plans_tried", "of a search", [=] { return r->tried; });
  row("plans_fitting", "of a search", [=] { return r->fitting; });
  row("others", "of a search: the next best", [=] { return r->others; });
  row("why_not", "when nothing fits", [=] { return r->why_not.empty() ? std::nullopt : std::optional(r->why_not); });
}

inline std::string_view schema_name(const TokenScaleOutcome*) { return "TokenScale"; }

template <class V>
void describe(V& row, const TokenScaleOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("device", "", [=] { return o->device; });
  row("dtype", "number format", [=] { return o->format; });
  row("method", "what is trained", [=] { return text_of(o->setup.tuning); });
  row("sequence", "tokens of a sample", [=] { return o->sequence; });
  row("tokens", "of the job", [=] { return o->tokens; });
  row("searched", "plans were looked for", [=] { return o->searched; });
  row("runs", "one for each number of devices", [=] { return o->runs; });
  row("reasons", "", [=] { return o->reasons; });
  row("notes", "what was assumed", [=] { return o->notes; });
}

}  // namespace plimsoll
