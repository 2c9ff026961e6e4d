#include "plan/verdict/batch_curve.h"

#include "plan/verdict/framework_load.h"

namespace plimsoll {

Result<BatchCurve> batch_curve(FitQuestion question, Framework framework, const std::optional<Device>& device) {
  question.lowering = nullptr;
  question.framework = framework;
  question.device = device;
  PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(question));
  const Room room = load.room(device ? &*device : nullptr, Bytes(INT64_MAX / 2));
  BatchCurve curve{std::string(name_of(framework)), {}};
  for (int64_t batch = 1; batch <= kLargestDrawnBatch; batch *= 2) {
    const auto peak = load.expected_at(batch, room);
    if (!peak.ok()) break;  // a file that was exported with one batch
    curve.points.push_back({batch, *peak});
  }
  return curve;
}

}  // namespace plimsoll
