// What sharpness answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "run/surface/sharpness_request.h"

namespace plimsoll {

inline constexpr std::string_view kSharpnessSchema = "plimsoll.sharpness/1";

inline std::string_view schema_name(const Sharpness*) { return "HighestLoss"; }

template <class V>
void describe(V& row, const Sharpness* s) {
  row("epsilon", "half width of the box, in units of |w| + 1", [=] { return s->epsilon; });
  row("highest_loss", "that was found in the box; null: it overflowed", [=] { return or_null(s->loss); });
  row("percent", "by which it is higher than at the weights, of 1 + the loss there",
      [=] { return or_null(s->sharpness); });
}

inline std::string_view schema_name(const RunSharpness*) { return "RunSharpness"; }

template <class V>
void describe(V& row, const RunSharpness* r) {
  row("run", "as it was named", [=] { return r->run; });
  row("model", "the network", [=] { return r->model; });
  row("data", "the dataset", [=] { return r->data; });
  row("batch", "samples per step in training, of all workers", [=] { return r->batch; });
  row("step", "after which the checkpoint was saved", [=] { return r->step; });
  row("samples", "over which the loss is averaged", [=] { return r->samples; });
  row("loss", "at the trained weights", [=] { return or_null(r->loss); });
  row("sharpness", "one entry for each epsilon", [=] { return r->boxes; });
  row("positions", "along each direction, in lengths of the filters", [=] { return r->positions; });
  row("losses_along", "one list for each direction", [=] {
    std::vector<std::vector<OrNull<double>>> lists(r->along.size());
    for (size_t i = 0; i < lists.size(); ++i)
      for (const double loss : r->along[i]) lists[i].push_back(or_null(loss));
    return lists;
  });
}

inline std::string_view schema_name(const SharpnessOutcome*) { return "Sharpness"; }

template <class V>
void describe(V& row, const SharpnessOutcome* o) {
  row("runs", "in the order they were given", [=] { return o->runs; });
}

}  // namespace plimsoll
