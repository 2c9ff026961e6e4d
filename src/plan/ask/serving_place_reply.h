// What place answers about a network that generates text, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/serving_place_request.h"

namespace plimsoll {

struct TokenPrice {
  double in = 0, out = 0;
};
inline std::string_view schema_name(const TokenPrice*) { return "TokenPrice"; }

template <class V>
void describe(V& row, const TokenPrice* p) {
  row("input", "a million tokens that are read, in USD", [=] { return p->in; });
  row("output", "a million tokens that are written, in USD", [=] { return p->out; });
}

inline std::string_view schema_name(const ServingPlacement*) { return "ServingPlacement"; }

template <class V>
void describe(V& row, const ServingPlacement* p) {
  row("device", "its name", [=] { return p->device.whole.name; });
  row("kind", "of what computes: cpu or gpu", [=] { return name_of(p->device.part.kind); });
  row("devices", "that share the network", [=] { return p->setup.devices; });
  row("framework", "that serves it there", [=] { return p->setup.profile->framework; });
  row("fits", "it is under its line", [=] { return p->fit.fits; });
  row("peak_bytes", "memory of one device", [=] { return p->fit.memory.total(); });
  row("shortfall_bytes", "by which the line is missed", [=] { return p->fit.shortfall; });
  row("largest_concurrency", "of such sequences", [=] { return p->fit.largest_concurrency; });
  row("seconds_to_first_token", "the prompt, alone, and a step of the others", [=] { return p->time.first_token; });
  row("seconds_per_token", "of each sequence", [=] { return p->time.per_token; });
  row("tokens_per_second", "that all sequences get, prompts of those that follow included",
      [=] { return p->time.all; });
  row("tokens_per_second_each", "that one sequence gets while it is written", [=] { return p->time.one; });
  row("prompt_tokens_per_second", "that are read, alone",
      [=] { return double(p->setup.prompt) / p->time.prompt.value; });
  row("cost_per_million_tokens", "in USD; null without a price", [=] {
    return OrNull{p->per_million_out ? std::optional(TokenPrice{p->per_million_in->value, p->per_million_out->value})
                                     : std::nullopt};
  });
  row("price", "what it stands on", [=] { return OrNull{p->price ? std::optional(p->price->basis) : std::nullopt}; });
  row("bound_by", "what sets the pace of a token", [=] { return name_of(p->time.step.bound); });
  row("bytes_per_step", "that are read", [=] { return Bytes(int64_t(p->time.step.bytes)); });
  row("memory", "where the device's memory is not known",
      [=] { return p->memory_known ? std::nullopt : std::optional("not known: taken as enough"); });
  row("breaks", "what crosses the line", [=] { return p->fit.fits ? std::nullopt : std::optional(p->fit.breaks); });
}

inline std::string_view schema_name(const ServingVerdict*) { return "ServingVerdict"; }

template <class V>
void describe(V& row, const ServingVerdict* v) {
  row("choice", "the name of a device; empty when nothing fits", [=] { return v->choice; });
  row("kind", "gpu or cpu; empty when nothing fits", [=] { return v->kind; });
  row("reasons", "", [=] { return v->reasons; });
}

inline std::string_view schema_name(const ServingPlaceOutcome*) { return "PlaceServing"; }

template <class V>
void describe(V& row, const ServingPlaceOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("mode", "generate", [=] { return Mode::generate; });
  row("weights", "format of the weights", [=] { return o->weights; });
  row("kv", "format of the cache of keys and values", [=] { return o->kv; });
  row("prompt_tokens", "that are read before the first is written", [=] { return o->prompt; });
  row("output_tokens", "that are written", [=] { return o->output; });
  row("concurrency", "sequences at the same time", [=] { return o->concurrency; });
  row("load_line", "share of the memory that may be filled", [=] { return o->load_line; });
  row("ranking", "best first", [=] { return o->ranked; });
  row("verdict", "", [=] { return o->verdict; });
  row("notes", "what was assumed, and how far off such answers have been", [=] { return o->notes; });
  row("not_placed", "devices that could not be asked, with the reason", [=] { return o->not_placed; });
}

}  // namespace plimsoll
