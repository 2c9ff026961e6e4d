// What place answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/lower_bound_reply.h"
#include "plan/ask/place_request.h"

namespace plimsoll {

inline constexpr std::string_view kPlaceSchema = "plimsoll.place/1";

// What each stage of a step takes, and what sets the pace.
struct StagesReply {
  StageTimes times;
  Pace pace;
};
inline std::string_view schema_name(const StagesReply*) { return "Stages"; }

template <class V>
void describe(V& row, const StagesReply* s) {
  row("disk_seconds", "of one batch", [=] { return s->times.disk; });
  row("decode_seconds", "of one batch", [=] { return s->times.decode; });
  row("transfer_seconds", "of one batch", [=] { return s->times.transfer; });
  row("compute_seconds", "of one batch", [=] { return s->times.compute; });
  row("step_seconds", "of all stages together", [=] { return s->pace.step; });
  row("bound_by", "what sets the pace", [=] { return name_of(s->pace.bound_by); });
  row("busy", "share of the step in which the device computes", [=] { return s->pace.busy; });
}

inline std::optional<double> amount(const std::optional<Dollars>& money) {
  return money ? std::optional(money->value) : std::nullopt;
}

// How far off such a step was predicted, where neither card nor network had a part in the fit.
struct StepRangeReply {
  const StepAccuracy* accuracy;
  Seconds step;
};
inline std::string_view schema_name(const StepRangeReply*) { return "StepRange"; }

template <class V>
void describe(V& row, const StepRangeReply* r) {
  row("low", "seconds; one of ten such steps was quicker", [=] { return r->step.value * r->accuracy->low; });
  row("high", "seconds; one of ten such steps was slower", [=] { return r->step.value * r->accuracy->high; });
  row("median_error", "share", [=] { return r->accuracy->median_error; });
  row("rows", "measurements that took no part in the fit", [=] { return r->accuracy->rows; });
  row("measured", "of what", [=] { return r->accuracy->measured(); });
}

inline std::optional<StepRangeReply> step_range(const JobPlacement& p) {
  return p.accuracy ? std::optional(StepRangeReply{p.accuracy, p.step}) : std::nullopt;
}

struct PlacementReply {
  JobPlacement placement;
  DollarsPerKilowattHour electricity;
};
inline std::string_view schema_name(const PlacementReply*) { return "Placement"; }

template <class V>
void describe(V& row, const PlacementReply* r) {
  const JobPlacement* p = &r->placement;
  row("device", "its name", [=] { return p->device.whole.name; });
  row("kind", "of what computes: cpu or gpu", [=] { return name_of(p->device.part.kind); });
  row("devices", "how many it has", [=] { return p->device.count; });
  row("framework", "that runs it there", [=] { return p->framework; });
  row("fits", "the batch is under its line", [=] { return p->fits; });
  row("batch", "of one device, in one pass", [=] { return p->batch; });
  row("peak_bytes", "memory of one device", [=] { return p->peak; });
  row("step_seconds", "of one step", [=] { return p->step; });
  row("step_range", "how far off such a prediction was; absent where nothing like it was measured",
      [=] { return step_range(*p); });
  row("epoch_seconds", "of all samples once", [=] { return p->epoch; });
  row("total_seconds", "of the job", [=] { return p->total; });
  row("samples_per_second", "", [=] { return p->samples_per_second; });
  row("cost", "of the job in USD; null without a price", [=] { return OrNull{amount(p->cost)}; });
  row("electricity", "of the job in USD, beside the cost; null where it is rented or its power is not known",
      [=] { return OrNull{amount(electricity_of(*p, r->electricity))}; });
  row("cost_per_million", "samples, in USD", [=] { return OrNull{amount(p->per_million)}; });
  row("price", "what it stands on", [=] { return OrNull{p->price ? std::optional(p->price->basis) : std::nullopt}; });
  row("bound_by", "what sets the pace", [=] { return name_of(p->bound_by); });
  row("stages", "", [=] { return StagesReply{p->stages, p->pace}; });
  row("latency_seconds", "of one sample, in inference", [=] { return p->latency; });
  row("memory", "where the device's memory is not known",
      [=] { return p->memory_known ? std::nullopt : std::optional("not known: taken as enough"); });
  row("loading", "how fast samples come, in a sentence",
      [=] { return p->loading.empty() ? std::nullopt : std::optional(p->loading); });
  row("host_cores", "that decode",
      [=] { return p->decode_cores ? std::optional(p->decode_cores->count) : std::nullopt; });
  row("host_cores_basis", "how they are known",
      [=] { return p->decode_cores ? std::optional(name_of(p->decode_cores->basis)) : std::nullopt; });
  row("why_not", "when it cannot be placed or does not fit",
      [=] { return p->why_not.empty() ? std::nullopt : std::optional(p->why_not); });
}

inline std::string_view schema_name(const Verdict*) { return "Verdict"; }

template <class V>
void describe(V& row, const Verdict* v) {
  row("choice", "the name of a device; empty when nothing fits", [=] { return v->choice; });
  row("kind", "gpu or cpu; empty when nothing fits", [=] { return v->kind; });
  row("reasons", "", [=] { return v->reasons; });
  row("speed_up", "of the GPU over the CPU", [=] { return v->speed_up; });
  row("price_ratio", "of an hour: GPU over CPU", [=] { return v->price_ratio; });
}

inline std::string_view schema_name(const PlaceOutcome*) { return "Place"; }

template <class V>
void describe(V& row, const PlaceOutcome* o) {
  row("model", "the network", [=] { return o->view.model; });
  row("mode", "training or inference", [=] { return o->job.trains() ? Mode::train : Mode::inference; });
  row("dtype", "number format", [=] { return o->job.format.name; });
  row("samples", "of an epoch, or of the job in inference", [=] { return o->job.samples; });
  row("epochs", "", [=] { return o->job.epochs; });
  row("load_line", "share of the memory that may be filled", [=] { return o->job.load_line; });
  describe_lower_bound(row, [=]() -> const Uncounted& { return o->view.uncounted; });
  row("ranking", "best first", [=] {
    std::vector<PlacementReply> replies;
    for (const auto& placement : o->ranked) replies.push_back({placement, o->view.electricity});
    return replies;
  });
  row("verdict", "", [=] { return o->verdict; });
  row("notes", "what was assumed", [=] { return o->view.notes; });
  row("not_placed", "devices that could not be asked, with the reason", [=] { return o->view.not_placed; });
}

}  // namespace plimsoll
