#include "plan/verdict/measured_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/time/reachable.h"
#include "plan/time/step_time.h"

namespace plimsoll {
namespace {

constexpr double kFurthest = 1.1;  // the logarithm of the largest factor either way that is looked at: three
constexpr int kRounds = 6;

class Search {
 public:
  Search(const Device& device, const std::vector<MeasuredRun>& runs) : device_(device), runs_(runs), reach_(device) {
    format_ = device.matrix_peak.contains(DType::f16) ? DType::f16 : DType::f32;
    rate_ = format_ == DType::f16 ? reach_.matrix(DType::f16) : reach_.general(DType::f32);
  }

  // Logarithms of factors on what the data sheet lets expect.
  struct Point {
    double rate = 0, bandwidth = 0;
  };

  Result<Device> at(const Point& point, const std::string& date) const {
    Calibration calibration{.gemm = FlopsPerSecond{rate_ * std::exp(point.rate)},
                            .format = format_,
                            .bandwidth = BytesPerSecond{reach_.bandwidth() * kCopyShare * std::exp(point.bandwidth)},
                            .source = fmt::format("fitted to {} measured steps", runs_.size()),
                            .date = date};
    return calibrated(device_, calibration);
  }

  // Errors of all runs, as logarithms.
  Result<std::vector<double>> errors(const Point& point) const {
    PLIM_ASSIGN(const Device device, at(point, "2000"));
    std::vector<double> off;
    for (const auto& run : runs_) {
      PLIM_ASSIGN(const StepTime time, step_time(*run.program, device, run.execution));
      off.push_back(std::log(time.total.value / run.step.value));
    }
    return off;
  }

  Result<double> cost(const Point& point) const {
    PLIM_ASSIGN(const auto off, errors(point));
    // Where runs cannot tell the two apart, both stay near each other and near the data sheet.
    double sum = 0.01 * (point.rate * point.rate + point.bandwidth * point.bandwidth);
    for (const double one : off) sum += one * one / double(off.size());
    return sum;
  }

  // One axis after the other, in steps that get smaller.
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
  Reachable reach_;
  DType format_;
  double rate_ = 1;
};

}  // namespace

Result<RunCalibration> calibrate_from_runs(const Device& device, const std::vector<MeasuredRun>& runs,
                                           const std::string& date) {
  if (device.kind != DeviceKind::gpu)
    return user_error(fmt::format("{} is a {}, expected a gpu", device.name, name_of(device.kind)));
  if (runs.empty()) return user_error("no measured step was given, expected at least one");
  for (const auto& run : runs)
    if (!(run.step.value > 0)) return user_error("a measured step took no time, expected more");
  const Search search(device, runs);
  PLIM_ASSIGN(const Search::Point point, search.best());
  PLIM_ASSIGN(std::vector<double> off, search.errors(point));
  for (double& one : off) one = std::abs(std::exp(one) - 1);
  std::sort(off.begin(), off.end());
  PLIM_ASSIGN(Device found, search.at(point, date));
  return RunCalibration{std::move(found), off[off.size() / 2]};
}

}  // namespace plimsoll
