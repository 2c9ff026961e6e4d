// What place answers for a training of a network of tokens, key by key.
#pragma once

#include "plan/ask/place_reply.h"
#include "plan/ask/token_fit_reply.h"
#include "plan/ask/token_place_request.h"

namespace plimsoll {

inline std::string_view schema_name(const TokenPlacement*) { return "TokenPlacement"; }

template <class V>
void describe(V& row, const TokenPlacement* p) {
  row("device", "its name", [=] { return p->device.whole.name; });
  row("kind", "of what computes: cpu or gpu", [=] { return name_of(p->device.part.kind); });
  row("devices", "that share the training", [=] { return p->setup.degrees.workers; });
  row("fits", "the micro-batch is under its line", [=] { return p->fits; });
  row("batch", "micro-batch of one device", [=] { return p->batch; });
  row("needed_bytes", "memory of one device", [=] { return p->memory.needed(); });
  row("peak_bytes", "where there is room", [=] { return p->memory.peak(); });
  row("plan", "how the training is divided", [=] { return PlanReply{p->setup, p->batch}; });
  row("step_seconds", "of one step", [=] { return p->time.step; });
  row("tokens_per_second", "of all devices", [=] { return p->time.tokens_per_second; });
  row("mfu", "share of the peak that products take", [=] { return p->time.mfu; });
  row("peak_flops", "operations per second of one device, which mfu is a share of",
      [=] { return p->time.peak.per_second; });
  row("peak_format", "of that peak", [=] { return name_of(p->time.peak_format); });
  row("total_seconds", "of the job", [=] { return p->total; });
  row("cost", "of the job in USD; null without a price", [=] { return OrNull{amount(p->cost)}; });
  row("cost_per_million_tokens", "in USD", [=] { return OrNull{amount(p->per_million)}; });
  row("price", "what it stands on", [=] { return OrNull{p->price ? std::optional(p->price->basis) : std::nullopt}; });
  row("bound_by", "what most of the step goes to", [=] { return p->time.bound_by; });
  row("why_not", "when it does not fit", [=] { return p->why_not.empty() ? std::nullopt : std::optional(p->why_not); });
}

// The verdict of a ranking.
struct TokenVerdictReply {
  const TokenPlaceOutcome* outcome;
};
inline std::string_view schema_name(const TokenVerdictReply*) { return "TokenVerdict"; }

template <class V>
void describe(V& row, const TokenVerdictReply* v) {
  row("choice", "the name of a device; empty when nothing fits", [=] { return v->outcome->choice; });
  row("reasons", "", [=] { return v->outcome->reasons; });
}

inline std::string_view schema_name(const TokenPlaceOutcome*) { return "TokenPlace"; }

template <class V>
void describe(V& row, const TokenPlaceOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("mode", "training", [=] { return Mode::train; });
  row("dtype", "number format", [=] { return o->format; });
  row("method", "what is trained", [=] { return text_of(o->setup.tuning); });
  row("sequence", "tokens of a sample", [=] { return o->sequence; });
  row("tokens", "of the job", [=] { return o->tokens; });
  row("load_line", "share of the memory that may be filled", [=] { return o->load_line; });
  row("ranking", "best first", [=] { return o->ranked; });
  row("verdict", "", [=] { return TokenVerdictReply{o}; });
  row("notes", "what was assumed", [=] { return o->notes; });
  row("not_placed", "devices that could not be asked, with the reason", [=] { return o->not_placed; });
}

}  // namespace plimsoll
