// What fit answers about a network that generates text, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/serving_fit_request.h"
#include "plan/serving/serving_accuracy.h"

namespace plimsoll {

inline std::string_view schema_name(const ServingAlternative*) { return "ServingAlternative"; }

template <class V>
void describe(V& row, const ServingAlternative* a) {
  row("change", "what would be changed", [=] { return a->change; });
  row("concurrency", "sequences at the same time then", [=] { return a->concurrency; });
  row("context", "tokens of a sequence then", [=] { return a->context; });
  row("peak_bytes", "of one device", [=] { return a->total; });
  row("seconds_per_token", "of each sequence; null where it is not predicted", [=] { return OrNull{a->per_token}; });
}

inline std::string_view schema_name(const ServingAccuracy*) { return "ServingAccuracy"; }

template <class V>
void describe(V& row, const ServingAccuracy* a) {
  row("what", "was predicted", [=] { return std::string(a->what); });
  row("rows", "published runs that it was compared with", [=] { return a->rows; });
  row("median_error", "as a share of the measurement", [=] { return a->median_error; });
}

inline std::vector<ServingAccuracy> accuracy_of(const ServingProfile& profile) {
  std::vector<ServingAccuracy> rows;
  for (const auto& row : serving_accuracy())
    if (row.framework == profile.framework && row.on == profile.on) rows.push_back(row);
  return rows;
}

inline Named<Bytes> named_parts(const ServingMemory& memory) {
  // Nothing is trained; what is read stands among the activations.
  return {{"parameters", memory.weights},
          {"gradients", Bytes(0)},
          {"optimizer", Bytes(0)},
          {"cache", memory.cache},
          {"activations", memory.activations},
          {"logits", memory.logits},
          {"workspace", memory.scratch},
          {"input", Bytes(0)},
          {"fixed", memory.fixed}};
}

inline std::string_view schema_name(const ServingFitOutcome*) { return "FitServing"; }

template <class V>
void describe(V& row, const ServingFitOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("device", "absent when a size of memory was given",
      [=] { return o->device.empty() ? std::nullopt : std::optional(o->device); });
  row("framework", "that serves it", [=] { return o->question.setup.profile->framework; });
  row("mode", "generate", [=] { return Mode::generate; });
  row("weights", "format of the weights", [=] { return std::string(o->question.setup.weights->name); });
  row("kv", "format of the cache of keys and values", [=] { return std::string(o->question.setup.kv->name); });
  row("context", "tokens of a sequence", [=] { return o->question.setup.context; });
  row("prompt_tokens", "of these read at once", [=] { return o->question.setup.prompt; });
  row("concurrency", "sequences at the same time", [=] { return o->question.setup.concurrency; });
  row("devices", "that share the network", [=] { return o->question.setup.devices; });
  row("layers_on_host", "that the CPU keeps", [=] { return o->question.setup.layers_on_host; });
  row("fits", "it is under the line", [=] { return o->answer.fits; });
  row("peak_bytes", "of one device, context included", [=] { return o->answer.memory.total(); });
  row("needed_bytes", "the same: nothing is cached that could be done without",
      [=] { return o->answer.memory.total(); });
  row("allocated_bytes", "of that in weights, cache and activations", [=] { return o->answer.memory.allocated(); });
  row("memory_bytes", "of one device, or as given", [=] { return o->question.memory; });
  row("load_line", "share of the memory that may be filled", [=] { return o->question.load_line; });
  row("line_bytes", "memory under the line", [=] { return o->answer.line; });
  row("shortfall_bytes", "by which the line is missed; 0 when it fits", [=] { return o->answer.shortfall; });
  row("left_bytes", "under the line", [=] { return o->answer.left; });
  row("host_bytes", "of layers that the CPU keeps", [=] { return o->answer.memory.on_host; });
  row("breakdown", "bytes of one device, by what they are", [=] { return named_parts(o->answer.memory); });
  row("breaks", "what crosses the line",
      [=] { return o->answer.fits ? std::nullopt : std::optional(o->answer.breaks); });
  row("kv_bytes_per_token", "of one sequence, in all layers", [=] {
    return Bytes(
        int64_t(cache_bytes_per_token(*o->network, *o->question.setup.kv, o->question.setup.profile->expands_latent)));
  });
  row("largest_concurrency", "at this context; 0: not one sequence", [=] { return o->answer.largest_concurrency; });
  row("largest_context", "at this concurrency; 0: not one token", [=] { return o->answer.largest_context; });
  row("seconds_per_token", "of each sequence, at the full context",
      [=] { return o->answer.time ? std::optional(o->answer.time->per_token) : std::nullopt; });
  row("bound_by", "what sets the pace of a token",
      [=] { return o->answer.time ? std::optional(name_of(o->answer.time->step.bound)) : std::nullopt; });
  row("alternatives", "what would fit, nearest first", [=] { return o->answer.alternatives; });
  row("accuracy", "how far off such answers have been", [=] { return accuracy_of(*o->question.setup.profile); });
  row("sentences", "the answer in words", [=] { return sentences(*o); });
}

}  // namespace plimsoll
