// What bench answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/fit_reply.h"
#include "run/ask/declined_reply.h"
#include "run/bench/bench_request.h"

namespace plimsoll {

inline constexpr std::string_view kBenchSchema = "plimsoll.bench/1";

struct ProfileLineReply {
  ProfileLine line;
  Seconds step;
};
inline std::string_view schema_name(const ProfileLineReply*) { return "ProfileLine"; }

template <class V>
void describe(V& row, const ProfileLineReply* r) {
  row("kind", "of operation", [=] { return r->line.kind; });
  row("operations", "of this kind in a step", [=] { return r->line.operations; });
  row("seconds", "that they take in a step", [=] { return r->line.time; });
  row("predicted_seconds", "null: this machine has not been probed", [=] { return OrNull{r->line.predicted}; });
  row("share", "of the timed step", [=] { return r->line.time.value / r->step.value; });
  row("flops", "convolutions counted directly", [=] { return r->line.flops; });
  row("moved_bytes", "read and written", [=] { return r->line.moved; });
}

inline std::string_view schema_name(const Profile*) { return "Profile"; }

template <class V>
void describe(V& row, const Profile* p) {
  row("step_seconds", "of a step with every operation timed", [=] { return p->step; });
  row("outside_seconds", "of it between operations", [=] { return p->outside(); });
  row("kinds", "the longest first", [=] {
    std::vector<ProfileLineReply> lines;
    for (const auto& line : p->lines) lines.push_back({line, p->step});
    return lines;
  });
}

struct BenchRunReply {
  const BenchRun* run;
  const BenchView* view;
};
inline std::string_view schema_name(const BenchRunReply*) { return "BenchRun"; }

template <class V>
void describe(V& row, const BenchRunReply* r) {
  const auto result = [=]() -> const BenchResult& { return r->run->result; };
  row("batch", "samples of one pass", [=] { return r->run->batch; });
  row("micro_batches", "passes of a step", [=] { return r->run->micro_batches; });
  row("threads", "", [=] { return r->run->threads; });
  row("conv", "how convolutions are computed", [=] { return r->run->conv; });
  row("step_seconds", "the median", [=] { return result().median(); });
  row("fastest_step_seconds", "", [=] { return result().seconds.front(); });
  row("processor_seconds", "of a step, all threads and the loader's share together: the median",
      [=] { return result().processor; });
  row("quartile_seconds", "the first and the third", [=] {
    return std::vector<Seconds>{result().quartile(1), result().quartile(3)};
  });
  row("spread", "half of the steps lie within this, as a share of the median", [=] { return result().spread(); });
  row("steps", "that were measured", [=] { return result().seconds.size(); });
  row("images_per_second", "", [=] { return r->run->images_per_second(); });
  row("epoch_seconds", "", [=] { return epoch_time(*r->run, *r->view); });
  row("predicted_step_seconds", "null: this machine has not been probed", [=] { return OrNull{r->run->predicted}; });
  row("flops", "of a step, convolutions counted directly", [=] { return r->run->flops; });
  row("flops_per_second", "", [=] { return r->run->rate(); });
  row("peak_share", "of the peak that probe measured; null: not probed",
      [=] { return OrNull{peak_share(*r->run, *r->view)}; });
  row("speedup", "against the first run of the same batch and method", [=] { return r->run->speedup; });
  row("peak_bytes", "memory as measured", [=] { return result().peak; });
  row("planned_bytes", "memory as planned", [=] { return result().planned; });
  row("reorders", "changes of layout in a step", [=] { return result().reorders; });
  row("conv_methods", "how many convolutions are computed how", [=] { return named_methods(result().conv_methods); });
  row("by_reference", "operations without a fast kernel", [=] { return result().by_reference; });
  row("declined", "why operations did not get the kernel that is asked first, with the profile",
      [=] { return result().profile ? std::optional(r->run->declined) : std::nullopt; });
  row("profile", "where the time goes, where that was asked", [=] { return result().profile; });
}

inline std::string_view schema_name(const BestThreads*) { return "BestThreads"; }

template <class V>
void describe(V& row, const BestThreads* b) {
  row("batch", "", [=] { return b->batch; });
  row("conv", "", [=] { return b->conv; });
  row("threads", "to take", [=] { return b->threads; });
  row("fastest", "number of threads", [=] { return b->fastest; });
  row("why", "", [=] { return why_best(*b); });
}

inline std::string_view schema_name(const BesideDevice*) { return "BesideDevice"; }

template <class V>
void describe(V& row, const BesideDevice* d) {
  row("device", "", [=] { return d->name; });
  row("framework", "", [=] { return d->framework; });
  row("batch", "", [=] { return d->batch; });
  row("predicted_step_seconds", "", [=] { return d->step; });
  row("predicted_epoch_seconds", "", [=] { return d->epoch; });
}

inline std::string_view schema_name(const BenchOutcome*) { return "Bench"; }

template <class V>
void describe(V& row, const BenchOutcome* o) {
  row("model", "the network", [=] { return o->view.model; });
  row("mode", "training or inference", [=] { return o->view.mode; });
  row("samples", "of an epoch", [=] { return o->view.samples; });
  row("peak_flops_per_second", "of all cores, as probe measured it; null: not probed",
      [=] { return OrNull{o->view.peak}; });
  row("runs", "one for each method, batch and number of threads", [=] {
    std::vector<BenchRunReply> runs;
    for (const auto& run : o->runs) runs.push_back({&run, &o->view});
    return runs;
  });
  row("best", "number of threads for each batch and method", [=] { return best_threads(o->runs); });
  row("beside", "other machines, predicted", [=] { return o->view.beside; });
}

}  // namespace plimsoll
