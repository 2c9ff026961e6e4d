// How far off predictions have been, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/machine_request.h"
#include "plan/memory/framework_accuracy.h"
#include "plan/time/accuracy.h"

namespace plimsoll {

inline std::string_view schema_name(const AccuracyRow*) { return "AccuracyRow"; }

template <class V>
void describe(V& row, const AccuracyRow* a) {
  row("measured", "what, on what, with what", [=] { return a->measured; });
  row("rows", "measurements", [=] { return a->rows; });
  row("median_error", "share", [=] { return a->median_error; });
  row("worst_factor", "", [=] { return a->worst_factor; });
  row("within_30", "share of predictions within 30 %", [=] { return a->within_30; });
}

struct MemoryAccuracyReply {
  Framework framework;
};
inline std::string_view schema_name(const MemoryAccuracyReply*) { return "MemoryAccuracy"; }

template <class V>
void describe(V& row, const MemoryAccuracyReply* m) {
  row("framework", "", [=] { return m->framework; });
  row("measured", "against what", [=] { return accuracy_of(m->framework)->source; });
  row("rows", "measurements", [=] { return accuracy_of(m->framework)->rows; });
  row("median_error", "share", [=] { return accuracy_of(m->framework)->median_error; });
  row("largest_error", "share", [=] { return accuracy_of(m->framework)->largest_error; });
  row("outside", "share of measurements outside low to high", [=] { return accuracy_of(m->framework)->outside; });
}

struct AccuracyReply {};
inline bool is_yes(const AccuracyReply&) { return true; }
inline std::string_view schema_name(const AccuracyReply*) { return "Accuracy"; }

template <class V>
void describe(V& row, const AccuracyReply*) {
  const auto listed = [](std::span<const AccuracyRow> rows) {
    return std::vector<AccuracyRow>(rows.begin(), rows.end());
  };
  row("step_time", "", [=] { return listed(step_time_accuracy()); });
  row("scaling", "", [=] { return listed(scaling_accuracy()); });
  row("memory", "", [] {
    std::vector<MemoryAccuracyReply> list;
    for (const Framework framework : {Framework::pytorch, Framework::tensorflow})
      if (accuracy_of(framework)) list.push_back({framework});
    return list;
  });
}

}  // namespace plimsoll
