// What scale answers, key by key.
#pragma once

#include <cmath>

#include "plan/ask/place_reply.h"
#include "plan/ask/scale_request.h"

namespace plimsoll {

inline constexpr std::string_view kScaleSchema = "plimsoll.scale/1";

inline std::string_view schema_name(const Link*) { return "Link"; }

template <class V>
void describe(V& row, const Link* l) {
  row("name", "", [=] { return l->name; });
  row("title", "", [=] { return l->title; });
  row("bytes_per_second", "each way, as data sheets have it", [=] { return l->rate; });
  row("share", "of the rate that collectives reach", [=] { return l->share; });
  row("latency_seconds", "of one message", [=] { return l->latency; });
  row("source", "", [=] { return l->source; });
}

// A run, with the samples of an epoch by which it is counted.
struct ScaleRunReply {
  ScaleRun run;
  int64_t samples;
};
inline std::string_view schema_name(const ScaleRunReply*) { return "ScaleRun"; }

template <class V>
void describe(V& row, const ScaleRunReply* r) {
  row("workers", "", [=] { return r->run.workers; });
  row("nodes", "", [=] { return r->run.nodes; });
  row("batch", "of a worker, in one pass", [=] { return r->run.batch; });
  row("global_batch", "of a step", [=] { return r->run.global_batch; });
  row("fits", "each worker's memory carries it", [=] { return r->run.fits; });
  row("peak_bytes", "memory of a worker", [=] { return r->run.peak; });
  row("step_seconds", "", [=] { return r->run.step; });
  row("compute_seconds", "of a worker by itself", [=] { return r->run.compute; });
  row("straggling_seconds", "by which the slowest takes longer", [=] { return r->run.straggling; });
  row("communication_seconds", "if nothing overlapped", [=] { return r->run.exchange.alone; });
  row("exposed_seconds", "of communication that the step waits for", [=] { return r->run.exchange.exposed; });
  row("hidden", "share of communication that nobody waits for", [=] { return r->run.exchange.hidden(); });
  row("waiting_seconds", "for samples", [=] { return r->run.waiting; });
  row("gradient_bytes", "on the wire", [=] { return r->run.exchange.bytes; });
  row("buckets", "gradients that are sent together", [=] { return r->run.exchange.buckets; });
  row("all_reduce", "how gradients are added up", [=] { return name_of(r->run.exchange.way); });
  row("images_per_second", "", [=] { return r->run.samples_per_second; });
  row("efficiency", "against as many workers that each run as fast as one alone", [=] { return r->run.efficiency; });
  row("bound_by", "", [=] { return r->run.bound_by; });
  row("steps", "", [=] { return std::llround(r->run.steps); });
  row("samples", "", [=] { return std::llround(r->run.samples); });
  row("epochs", "", [=] { return r->run.samples / double(r->samples); });
  row("total_seconds", "", [=] { return r->run.total; });
  row("cost", "in USD; null without a price", [=] { return OrNull{amount(r->run.cost)}; });
}

struct AdviceReply {
  ScaleAdvice advice;
  int64_t samples;
};
inline std::string_view schema_name(const AdviceReply*) { return "ScaleAdvice"; }

template <class V>
void describe(V& row, const AdviceReply* a) {
  row("workers", "", [=] { return a->advice.run.workers; });
  row("batch", "of a worker", [=] { return a->advice.run.batch; });
  row("global_batch", "of a step", [=] { return a->advice.run.global_batch; });
  row("learning_rate", "null when that at the reference batch is not given",
      [=] { return OrNull{a->advice.learning_rate}; });
  row("learning_rate_factor", "over the rate at the reference batch", [=] { return a->advice.rate_factor; });
  row("learning_rate_rule", "", [=] { return a->advice.rule; });
  row("warm_up_steps", "", [=] { return a->advice.warm_up_steps; });
  row("run", "", [=] { return ScaleRunReply{a->advice.run, a->samples}; });
}

struct SupposedReply {
  SupposedScale supposed;
  int64_t samples;
};
inline std::string_view schema_name(const SupposedReply*) { return "SupposedScale"; }

inline std::optional<AdviceReply> advice_reply(const std::optional<ScaleAdvice>& advice, int64_t samples) {
  return advice ? std::optional(AdviceReply{*advice, samples}) : std::nullopt;
}

template <class V>
void describe(V& row, const SupposedReply* s) {
  row("critical_batch", "if it were this", [=] { return s->supposed.critical_batch; });
  row("recommendation", "null: nothing meets the aim",
      [=] { return OrNull{advice_reply(s->supposed.advice, s->samples)}; });
  row("knee", "where time and money meet", [=] { return ScaleRunReply{s->supposed.knee, s->samples}; });
}

struct WiringReply {
  Wiring wiring;
  int64_t most;  // workers
};
inline std::string_view schema_name(const WiringReply*) { return "Wiring"; }

template <class V>
void describe(V& row, const WiringReply* w) {
  row("per_node", "workers of a node; null: all are in one",
      [=] { return OrNull{w->wiring.per_node < kMostWorkers ? std::optional(w->wiring.per_node) : std::nullopt}; });
  row("inside", "between workers of a node",
      [=] { return OrNull{w->wiring.per_node > 1 ? std::optional(w->wiring.inside) : std::nullopt}; });
  row("between", "between nodes",
      [=] { return OrNull{w->most > w->wiring.per_node ? std::optional(w->wiring.between) : std::nullopt}; });
}

struct ScaleVerdictReply {
  const ScaleForecast* forecast;
};
inline std::string_view schema_name(const ScaleVerdictReply*) { return "ScaleVerdict"; }

template <class V>
void describe(V& row, const ScaleVerdictReply* v) {
  row("choice", "how many workers; null: open",
      [=] { return OrNull{v->forecast->advice ? std::optional(v->forecast->advice->run.workers) : std::nullopt}; });
  row("aim_met", "deadline and budget", [=] { return v->forecast->aim_met; });
  row("reasons", "", [=] { return v->forecast->reasons; });
}

inline std::string_view schema_name(const ScaleOutcome*) { return "Scale"; }

template <class V>
void describe(V& row, const ScaleOutcome* o) {
  const auto question = [=]() -> const ScaleQuestion& { return o->scaling->question(); };
  row("model", "the network", [=] { return o->view.model; });
  row("device", "", [=] { return question().device.whole.name; });
  row("framework", "", [=] { return o->scaling->framework(); });
  row("dtype", "number format", [=] { return question().job.format.name; });
  row("optimizer", "", [=] { return question().job.step.optimizer->name; });
  row("exchange", "how gradients are exchanged", [=] { return question().exchange; });
  row("wiring", "", [=] { return WiringReply{question().wiring, o->most_workers()}; });
  row("samples", "of an epoch", [=] { return question().job.samples; });
  row("epochs", "", [=] { return question().job.epochs; });
  row("reference_batch", "at which the epochs reach the loss", [=] { return o->scaling->reference_batch(); });
  row("critical_batch", "", [=] { return OrNull{question().critical_batch}; });
  row("steps_are", "", [=] { return o->forecast.knee ? "to the same loss" : "of the same epochs"; });
  row("price", "what it stands on",
      [=] { return OrNull{o->scaling->price() ? std::optional(o->scaling->price()->basis) : std::nullopt}; });
  describe_lower_bound(row, [=]() -> const Uncounted& { return o->view.uncounted; });
  row("runs", "as asked", [=] {
    std::vector<ScaleRunReply> runs;
    for (const auto& run : o->forecast.runs) runs.push_back({run, question().job.samples});
    return runs;
  });
  row("knee", "null when the steps to the same loss are not known", [=] {
    return OrNull{o->forecast.knee ? std::optional(ScaleRunReply{*o->forecast.knee, question().job.samples})
                                   : std::nullopt};
  });
  row("recommendation", "", [=] { return OrNull{advice_reply(o->forecast.advice, question().job.samples)}; });
  row("if_critical_batch", "the answer for a range of critical batches", [=] {
    std::vector<SupposedReply> list;
    for (const auto& supposed : o->forecast.supposed) list.push_back({supposed, question().job.samples});
    return list;
  });
  row("verdict", "", [=] { return ScaleVerdictReply{&o->forecast}; });
  row("notes", "what was assumed", [=] { return o->view.notes; });
}

struct LinksReply {};
inline bool is_yes(const LinksReply&) { return true; }
inline std::string_view schema_name(const LinksReply*) { return "Links"; }

template <class V>
void describe(V& row, const LinksReply*) {
  row("links", "that are known by name", [] { return std::vector<Link>(all_links().begin(), all_links().end()); });
}

}  // namespace plimsoll
