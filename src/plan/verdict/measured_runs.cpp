#include "plan/verdict/measured_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/time/reachable.h"
#include "plan/time/step_time.h"
#include "plan/time/torch_cpu_time.h"

namespace plimsoll {
namespace {

constexpr double kFurthest = 1.1;  // the logarithm of the largest factor either way that is looked at: three
constexpr double kUsual = 0.1;     // how far a network is off by itself
constexpr double kDraw = 0.16;     // its square over that of what a data sheet is off, a quarter
constexpr int kRounds = 6;
constexpr double kContradiction = 1.5;  // a run that is so many times off what the others lead to

// The square of a small error; a large one grows evenly, so that one odd network does not decide.
double softened(double off) { return 2 * kUsual * kUsual * (std::sqrt(1 + off * off / (kUsual * kUsual)) - 1); }

// Logarithms of factors on what is expected from the data sheet.
struct Point {
  double rate = 0, bandwidth = 0;
};

class Search {
 public:
  Search(const Device& device, const std::vector<MeasuredRun>& runs)
      : device_(device), runs_(runs), sheet_(reached_on(device)) {}

  Result<Device> at(const Point& point, const std::string& date) const {
    return calibrated(device_, {.gemm = FlopsPerSecond{sheet_.gemm.per_second * std::exp(point.rate)},
                                .format = sheet_.format,
                                .bandwidth = BytesPerSecond{sheet_.bandwidth.per_second * std::exp(point.bandwidth)},
                                .source = fmt::format("fitted to {} measured step{} of PyTorch", runs_.size(),
                                                      runs_.size() == 1 ? "" : "s"),
                                .date = date});
  }

  Result<std::vector<Seconds>> predicted(const Device& device) const {
    std::vector<Seconds> times;
    for (const auto& run : runs_) {
      PLIM_ASSIGN(const StepTime time, step_time(*run.program, device, run.execution));
      times.push_back(time.total);
    }
    return times;
  }

  Result<double> cost(const Point& point) const {
    PLIM_ASSIGN(const Device device, at(point, "2000"));
    PLIM_ASSIGN(const auto times, predicted(device));
    double sum = kDraw * (point.rate * point.rate + point.bandwidth * point.bandwidth);
    for (size_t i = 0; i < runs_.size(); ++i) sum += softened(std::log(times[i].value / runs_[i].step.value));
    return sum;
  }

  // One axis after the other, and both together, in steps that get smaller.
  Result<Point> best() const {
    Point point;
    PLIM_ASSIGN(double least, cost(point));
    double step = kFurthest / 2;
    for (int round = 0; round < kRounds; ++round, step /= 2) {
      for (bool moved = true; moved;) {
        moved = false;
        for (const Point way : {Point{step, 0}, Point{-step, 0}, Point{0, step}, Point{0, -step}, Point{step, step},
                                Point{-step, -step}}) {
          const Point next{point.rate + way.rate, point.bandwidth + way.bandwidth};
          if (std::max(std::abs(next.rate), std::abs(next.bandwidth)) > kFurthest) continue;
          const auto there = cost(next);
          if (!there.ok() || *there >= least - 1e-9) continue;
          least = *there, point = next, moved = true;
        }
      }
    }
    return point;
  }

 private:
  const Device& device_;
  const std::vector<MeasuredRun>& runs_;
  ReachedNumbers sheet_;
};

// The same step measured twice must take about as long; whatever the model, nothing explains both otherwise.
Status check_repeated(const std::vector<MeasuredRun>& runs) {
  for (size_t i = 0; i < runs.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const double ratio = runs[i].step.value / runs[j].step.value;
      if (runs[i].name == runs[j].name && std::max(ratio, 1 / ratio) > kContradiction)
        return user_error(fmt::format("{} took {} and {}: the measured runs contradict each other", runs[i].name,
                                      human_time(runs[j].step), human_time(runs[i].step)),
                          "leave out the one that is wrong");
    }
  return {};
}

// No two numbers lead to all runs: the one that is furthest off is named.
Status check_explained(const Device& device, const std::vector<Seconds>& after, const std::vector<MeasuredRun>& runs) {
  size_t worst = 0;
  double furthest = 1;
  for (size_t i = 0; i < runs.size(); ++i) {
    const double ratio = after[i].value / runs[i].step.value;
    if (std::max(ratio, 1 / ratio) <= furthest) continue;
    furthest = std::max(ratio, 1 / ratio), worst = i;
  }
  if (furthest <= kContradiction) return {};
  const MeasuredRun& run = runs[worst];
  const bool alone = runs.size() == 1;
  return user_error(
      fmt::format("no rate and bandwidth of {} lead to {}: {} was measured, {} would be expected{}", device.name,
                  alone ? "the measured run" : "all measured runs", human_time(run.step), human_time(after[worst]),
                  alone ? "" : " of " + run.name),
      alone ? "is it another device, batch or number format?" : "is one of another device, batch or number format?");
}

}  // namespace

ReachedNumbers reached_on(const Device& device, std::optional<DType> format) {
  const DType in = format.value_or(product_format(device));
  if (device.kind == DeviceKind::cpu) return {in, TorchCpuTime::gemm_rate(device, in), TorchCpuTime::copy_rate(device)};
  const Reachable reach(device);
  const double matrix = reach.matrix(in);
  return {in, FlopsPerSecond{matrix > 0 ? matrix : reach.general(in)}, BytesPerSecond{reach.bandwidth() * kCopyShare}};
}

double median_error(const std::vector<Seconds>& predicted, const std::vector<MeasuredRun>& runs) {
  std::vector<double> off;
  for (size_t i = 0; i < runs.size(); ++i) off.push_back(std::abs(predicted[i].value / runs[i].step.value - 1));
  std::sort(off.begin(), off.end());
  return off.empty() ? 0 : (off[off.size() / 2] + off[(off.size() - 1) / 2]) / 2;
}

Result<RunCalibration> calibrate_from_runs(const Device& device, const std::vector<MeasuredRun>& runs,
                                           const std::string& date) {
  if (runs.empty()) return user_error("no measured step was given, expected at least one");
  for (const auto& run : runs)
    if (!(run.step.value > 0)) return user_error("a measured step took no time, expected more");
  PLIM_TRY(check_repeated(runs));
  const Search search(device, runs);
  PLIM_ASSIGN(const Point point, search.best());
  PLIM_ASSIGN(Device found, search.at(point, date));
  RunCalibration calibration{std::move(found), {}, {}};
  PLIM_ASSIGN(calibration.before, search.predicted(device));
  PLIM_ASSIGN(calibration.after, search.predicted(calibration.device));
  PLIM_TRY(check_explained(device, calibration.after, runs));
  return calibration;
}

}  // namespace plimsoll
