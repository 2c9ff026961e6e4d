#include "plan/verdict/accuracy_notes.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "plan/memory/framework_accuracy.h"

namespace plimsoll {
namespace {

// A network of which convolutions are most: a transformer that cuts its picture up by one is none.
bool trains_convolutions(const Program& step) {
  Macs convolutions, all;
  for (const auto& one : step.operations) {
    if (one.phase != Phase::forward) continue;
    all += one.cost.macs;
    if (one.op && one.op->kind == OpKind::convolution) convolutions += one.cost.macs;
  }
  return step.loss.present() && convolutions.value() > all.value() / 2;
}

}  // namespace

std::vector<std::string> accuracy_notes(Framework framework, bool in_f32, const Program& step) {
  const auto accuracy = accuracy_of(framework);
  const std::string name(name_of(framework));
  if (!accuracy) return {fmt::format("The profile of {} has not been checked against measurements.", name)};
  if (!in_f32 || !trains_convolutions(step))
    return {
        fmt::format("The profile of {} was checked against {} measurements of {}; how far off it is here is not known.",
                    name, accuracy->rows, accuracy->kind)};
  return {
      fmt::format("The profile of {} was checked against {} measurements: median error {}, largest {}, {} outside "
                  "low–high.",
                  name, accuracy->rows, percent(accuracy->median_error), percent(accuracy->largest_error),
                  percent(accuracy->outside))};
}

}  // namespace plimsoll
