// A network's part of `report --json`, key by key: the answers of the verbs and what only a report has.
#pragma once

#include "plan/ask/fit_reply.h"
#include "plan/ask/place_reply.h"
#include "plan/ask/weigh_reply.h"
#include "tell/report/network_report.h"

namespace plimsoll {

inline std::string_view schema_name(const RoofPoint*) { return "RoofPoint"; }

template <class V>
void describe(V& row, const RoofPoint* p) {
  row("name", "of the operation", [=] { return p->name; });
  row("kind", "of work", [=] { return p->kind; });
  row("flops_per_byte", "", [=] { return p->intensity; });
  row("predicted_flops_per_second", "", [=] { return p->rate; });
  row("predicted_seconds", "", [=] { return p->seconds; });
}

inline std::string_view schema_name(const Roof*) { return "Roofline"; }

template <class V>
void describe(V& row, const Roof* r) {
  row("device", "", [=] { return r->device; });
  row("peak_flops_per_second", "", [=] { return r->peak; });
  row("bytes_per_second", "", [=] { return r->bandwidth; });
  row("operations", "", [=] { return r->points; });
}

inline std::string_view schema_name(const BatchLoadPoint*) { return "BatchPeak"; }

template <class V>
void describe(V& row, const BatchLoadPoint* p) {
  row("batch", "", [=] { return p->batch; });
  row("peak_bytes", "", [=] { return p->peak; });
}

inline std::string_view schema_name(const BatchCurve*) { return "BatchCurve"; }

template <class V>
void describe(V& row, const BatchCurve* c) {
  row("framework", "", [=] { return c->framework; });
  row("points", "", [=] { return c->points; });
}

inline std::string_view schema_name(const DeviceLine*) { return "DeviceLine"; }

template <class V>
void describe(V& row, const DeviceLine* l) {
  row("device", "", [=] { return l->device; });
  row("line_bytes", "its load line", [=] { return l->line; });
}

struct NetworkReply {
  const NetworkReport* report;
  WeightReply weight;
  FitOutcome fit;  // without the residence, which stands by itself
};
inline std::string_view schema_name(const NetworkReply*) { return "NetworkReport"; }

template <class V>
void describe(V& row, const NetworkReply* r) {
  const auto n = [=] { return r->report; };
  row("model", "", [=] { return n()->model; });
  row("weigh", "as weigh answers", [=] { return InnerAnswer<WeightReply>{kWeighSchema, &r->weight}; });
  row("fit", "as fit answers", [=] { return InnerAnswer<FitOutcome>{kFitSchema, &r->fit}; });
  row("timeline_bytes", "during each operation of the step", [=] { return r->fit.answer.load.timeline.sums(); });
  row("batch_curves", "memory against the batch", [=] { return n()->curves; });
  row("load_lines", "of devices", [=] { return n()->lines; });
  row("roofline", "null where the device's speed is not known", [=] { return OrNull{n()->roof}; });
  row("residence", "what is where", [=] { return OrNull{n()->fit->where}; });
  row("by_time", "as place answers", [=] { return InnerAnswer<PlaceOutcome>{kPlaceSchema, &n()->by_time}; });
  row("by_money", "as place answers", [=] { return InnerAnswer<PlaceOutcome>{kPlaceSchema, &n()->by_money}; });
  row("notes", "", [=] { return n()->notes; });
}

}  // namespace plimsoll
