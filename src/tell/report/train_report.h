// What train says, as people read it: the plan before the first step, the result after the last.
#pragma once

#include <string>

#include "run/train/training_outlook.h"

namespace plimsoll {

std::string outlook_text(const TrainingOutlook& outlook);

std::string refusal_text(const TrainingOutlook& outlook, const TrainingRefusal& refusal);

std::string result_text(const TrainingOutlook& outlook, const TrainingResult& result);

// "planned 152 MiB, measured 149 MiB" and the like, a row each: what, planned, measured.
struct PlannedRow {
  std::string what, planned, measured;
};
std::vector<PlannedRow> planned_against_measured(const TrainingOutlook& outlook, const TrainingResult& result);

}  // namespace plimsoll
