#include "model/ops/sample_at.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {
namespace {

// Up to four neighbours along one axis; index -1 reads as 0.
struct Neighbours {
  int count = 0;
  std::array<int64_t, 4> index{};
  std::array<double, 4> weight{};
  std::array<double, 4> slope{};  // of the weight
};

int64_t mirrored(int64_t i, int64_t size, bool at_centres) {
  const int64_t period = at_centres ? 2 * (size - 1) : 2 * size;
  if (period == 0) return 0;
  i = (i % period + period) % period;
  return i < size ? i : period - i - (at_centres ? 0 : 1);
}

int64_t inside(int64_t i, int64_t size, Outside outside) {
  if (i >= 0 && i < size) return i;
  switch (outside) {
    case Outside::zeros: return -1;
    case Outside::border: return std::clamp<int64_t>(i, 0, size - 1);
    case Outside::mirror: return mirrored(i, size, false);
    case Outside::mirror_at_centres: return mirrored(i, size, true);
  }
  return -1;
}

// Keys' cubic with a = -0.75, as torch and ONNX.
std::array<double, 4> cubic_weights(double t) {
  constexpr double a = -0.75;
  const auto near = [](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {far(1 + t), near(t), near(1 - t), far(2 - t)};
}

std::array<double, 4> cubic_slopes(double t) {
  constexpr double a = -0.75;
  const auto near = [](double x) { return (3 * (a + 2) * x - 2 * (a + 3)) * x; };
  const auto far = [](double x) { return (3 * a * x - 10 * a) * x + 8 * a; };
  return {far(1 + t), near(t), -near(1 - t), -far(2 - t)};
}

Neighbours neighbours(double x, int64_t size, SampleMode interpolation, Outside outside) {
  constexpr double kFar = 1e15;  // still exact, and its neighbours are integers
  x = std::isnan(x) ? -kFar : std::clamp(x, -kFar, kFar);
  Neighbours result;
  const auto add = [&](int64_t i, double weight, double slope) {
    result.index[size_t(result.count)] = inside(i, size, outside);
    result.slope[size_t(result.count)] = slope;
    result.weight[size_t(result.count++)] = weight;
  };
  if (interpolation == SampleMode::nearest) {
    add(int64_t(std::nearbyint(x)), 1, 0);
    return result;
  }
  const auto low = int64_t(std::floor(x));
  const double share = x - double(low);
  if (interpolation == SampleMode::linear) {
    add(low, 1 - share, -1);
    add(low + 1, share, 1);
    return result;
  }
  const auto weights = cubic_weights(share), slopes = cubic_slopes(share);
  for (int k = 0; k < 4; ++k) add(low - 1 + k, weights[size_t(k)], slopes[size_t(k)]);
  return result;
}

double sum_over(const double* grid, const std::vector<int64_t>& size, const std::vector<Neighbours>& axes, size_t axis,
                int64_t offset) {
  if (axis == axes.size()) return grid[offset];
  double sum = 0;
  for (int k = 0; k < axes[axis].count; ++k) {
    const int64_t index = axes[axis].index[size_t(k)];
    if (index >= 0)
      sum += axes[axis].weight[size_t(k)] * sum_over(grid, size, axes, axis + 1, offset * size[axis] + index);
  }
  return sum;
}

// Appends what is found from `axis` on to `found`; `so_far` holds what the axes before it chose.
void collect(const std::vector<int64_t>& size, const std::vector<Neighbours>& axes, size_t axis, Neighbour so_far,
             std::vector<Neighbour>& found) {
  if (axis == axes.size()) {
    found.push_back(std::move(so_far));
    return;
  }
  for (size_t k = 0; k < size_t(axes[axis].count); ++k) {
    if (axes[axis].index[k] < 0) continue;
    Neighbour next{so_far.offset * size[axis] + axes[axis].index[k], so_far.weight * axes[axis].weight[k],
                   so_far.slope};
    for (double& slope : next.slope) slope *= axes[axis].weight[k];
    next.slope.push_back(so_far.weight * axes[axis].slope[k]);
    collect(size, axes, axis + 1, std::move(next), found);
  }
}

std::vector<Neighbours> along_axes(const std::vector<int64_t>& size, const std::vector<double>& place,
                                   SampleMode interpolation, Outside outside) {
  std::vector<Neighbours> axes;
  for (size_t a = 0; a < size.size(); ++a) axes.push_back(neighbours(place[a], size[a], interpolation, outside));
  return axes;
}

}  // namespace

double sample_at(const double* grid, const std::vector<int64_t>& size, const std::vector<double>& place,
                 SampleMode interpolation, Outside outside) {
  return sum_over(grid, size, along_axes(size, place, interpolation, outside), 0, 0);
}

std::vector<Neighbour> neighbours_at(const std::vector<int64_t>& size, const std::vector<double>& place,
                                     SampleMode interpolation, Outside outside) {
  std::vector<Neighbour> found;
  collect(size, along_axes(size, place, interpolation, outside), 0, {0, 1, {}}, found);
  return found;
}

}  // namespace plimsoll
