// Loading and the pace of a step as JSON; what people read are loading_sentence and pace_sentence.
#pragma once

#include "plan/time/pipeline.h"
#include "tell/report/json.h"

namespace plimsoll {

// {"disk", "loaders", "useful_loaders", "bound", "samples_per_second", "drives_…", "controller_…", "decode_…",
// "sentence"}
Json loading_json(const LoadingSetup& setup, const LoadingRate& rate);

// {"disk_seconds", "decode_seconds", "transfer_seconds", "compute_seconds", "step_seconds", "bound_by", "busy"}
Json pace_json(const StageTimes& times, const Pace& pace);

}  // namespace plimsoll
