#include "tell/report/plot_ticks.h"

#include <cmath>
#include <cstdint>

namespace plimsoll {
namespace {

constexpr size_t kMostTicks = 9;

}  // namespace

std::vector<double> round_ticks(double low, double high) {
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span)) return {low};
  const double tenth = std::pow(10, std::floor(std::log10(span)));
  double step = tenth;
  for (const double factor : {0.1, 0.2, 0.5, 1.0, 2.0})
    if (span / (tenth * factor) <= 6.5) {
      step = tenth * factor;
      break;
    }
  std::vector<double> ticks;
  for (auto i = int64_t(std::floor(low / step)); double(i) * step < high + step * 0.999; ++i) {
    const double tick = double(i) * step;
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  }
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks, tens;
  const int first = int(std::floor(std::log10(low))), last = int(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    tens.push_back(std::pow(10, power));
    for (const double factor : {1, 2, 5}) ticks.push_back(factor * std::pow(10, power));
  }
  while (ticks.size() > 2 && ticks[1] <= low) ticks.erase(ticks.begin());
  while (ticks.size() > 2 && ticks[ticks.size() - 2] >= high) ticks.pop_back();
  return ticks.size() <= kMostTicks ? ticks : tens;
}

}  // namespace plimsoll
