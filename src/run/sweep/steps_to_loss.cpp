#include "run/sweep/steps_to_loss.h"

#include <algorithm>
#include <set>

#include "run/measure/run_log.h"

namespace plimsoll {
namespace {

struct Line {
  double least = 0, per_inverse = 0;  // steps = least + per_inverse / batch
};

// Minimises the sum of ((least + per_inverse/B) / S - 1)².
std::optional<Line> fit_line(const std::vector<StepsAtBatch>& points) {
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  for (const auto& point : points) {
    const double a = 1 / point.steps, b = a / double(point.batch);
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  const double determinant = aa * bb - ab * ab;
  if (determinant <= 1e-12 * aa * bb) return std::nullopt;
  const Line line{(a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant};
  if (line.least <= 0 || line.per_inverse <= 0) return std::nullopt;
  return line;
}

size_t different_batches(const std::vector<StepsAtBatch>& points) {
  std::set<int64_t> batches;
  for (const auto& point : points) batches.insert(point.batch);
  return batches.size();
}

}  // namespace

std::optional<double> steps_to_loss(std::span<const LoggedLoss> losses, int64_t batch, double goal) {
  const int64_t window = std::max<int64_t>(1, kSmoothedSamples / batch);
  double sum = 0;
  size_t first = 0;
  for (size_t i = 0; i < losses.size(); ++i) {
    sum += losses[i].loss;
    for (; losses[first].step + window <= losses[i].step; ++first) sum -= losses[first].loss;
    if (losses[i].step >= window && sum / double(i + 1 - first) <= goal)
      return double(losses[i].step) - double(window - 1) / 2;
  }
  return std::nullopt;
}

Result<std::vector<LoggedLoss>> logged_losses(const std::string& log_path) {
  PLIM_ASSIGN(const auto log, read_run_log(log_path));
  std::vector<LoggedLoss> losses;
  for (const auto& event : log) {
    const auto kind = event.find("event"), step = event.find("step"), loss = event.find("loss");
    if (kind == event.end() || *kind != "step" || step == event.end() || loss == event.end()) continue;
    if (step->is_number_integer() && loss->is_number()) losses.push_back({step->get<int64_t>(), loss->get<double>()});
  }
  return losses;
}

std::optional<CriticalBatch> fit_critical_batch(const std::vector<StepsAtBatch>& points) {
  if (different_batches(points) < 2) return std::nullopt;
  const auto line = fit_line(points);
  if (!line) return std::nullopt;
  CriticalBatch fit{line->least, line->per_inverse / line->least};
  fit.low = fit.high = fit.critical;
  for (size_t out = 0; out < points.size(); ++out) {
    auto rest = points;
    rest.erase(rest.begin() + ptrdiff_t(out));
    if (different_batches(rest) < 2) continue;
    if (const auto other = fit_line(rest)) {
      fit.low = std::min(fit.low, other->per_inverse / other->least);
      fit.high = std::max(fit.high, other->per_inverse / other->least);
    }
  }
  return fit;
}

}  // namespace plimsoll
