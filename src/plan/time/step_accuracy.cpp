#include "plan/time/step_accuracy.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

constexpr std::string_view kAny = "any";
constexpr std::string_view kHostBound = "steps that wait for the host";

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

bool is_or_any(std::string_view row, std::string_view wanted) { return row == kAny || row == wanted; }

// What a prediction is off by depends most on the kind of network, then on the generation, then on the format.
int closeness(const StepAccuracy& row) {
  return (row.kind != kAny ? 4 : 0) + (row.generation != kAny ? 2 : 0) + (row.format != kAny ? 1 : 0);
}

}  // namespace

std::span<const StepAccuracy> held_out_steps() {
  static constexpr StepAccuracy kRows[] = {
#define PLIM_HELD_OUT(generation, format, mode, kind, rows, median_error, low, high) \
  {generation, format, mode, kind, rows, median_error, low, high},
#include "plan/time/step_accuracy.inc"
#undef PLIM_HELD_OUT
  };
  return kRows;
}

std::string StepAccuracy::measured() const {
  return fmt::format("{} in {} {}, {}", kind == kAny ? "networks" : kind, format == kAny ? "any format," : format, mode,
                     generation == kAny ? "several generations" : generation);
}

const StepAccuracy* accuracy_of_step(const Device& device, const Execution& execution, bool trains, NetworkKind kind,
                                     double waits) {
  if (device.kind != DeviceKind::gpu || execution.framework != Framework::pytorch || execution.dtype == DType::f64)
    return nullptr;
  const std::string_view what = waits >= kWaitsForHost ? kHostBound : name_of(kind);
  const StepAccuracy* best = nullptr;
  for (const StepAccuracy& row : held_out_steps()) {
    const bool fits = is_or_any(row.generation, device.generation) && row.mode == (trains ? "training" : "inference") &&
                      is_or_any(row.format, is_half(execution.dtype) ? "f16" : "f32") && is_or_any(row.kind, what);
    if (fits && (best == nullptr || closeness(row) > closeness(*best))) best = &row;
  }
  return best;
}

}  // namespace plimsoll
