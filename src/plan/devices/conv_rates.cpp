#include "plan/devices/conv_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 3> kDirections = {"forward", "grad_data", "grad_weights"};

struct MethodLine {
  ConvMethod method;
  std::string_view name;
  int64_t least_kernel, most_kernel;  // that it computes; 0: any
  bool transforms;                    // only convolutions that move by one place
  int64_t tile;                       // outputs of a tile along an axis; tiles at the border are computed whole
};

constexpr MethodLine kMethods[] = {{ConvMethod::direct, "direct", 0, 0, false, 1},
                                   {ConvMethod::depthwise, "depthwise", 0, 0, false, 1},
                                   {ConvMethod::winograd_2x2, "winograd_2x2", 3, 3, true, 2},
                                   {ConvMethod::winograd_4x4, "winograd_4x4", 3, 3, true, 4},
                                   {ConvMethod::product, "product", 1, 1, false, 1},
                                   {ConvMethod::fft, "fft", 5, 31, true, 1}};  // tiles as large as pay

const MethodLine& line_of(ConvMethod method) { return kMethods[size_t(method)]; }

bool is_depthwise(const ConvLayer& layer) { return layer.groups > 1 && layer.in == 1 && layer.out == 1; }

// The share of the computed places that there are.
double share_of_tiles(const ConvLayer& layer, int64_t tile) {
  const auto whole = [tile](int64_t size) { return double((size + tile - 1) / tile * tile); };
  return double(layer.height * layer.width) / (whole(layer.height) * whole(layer.width));
}

// Channels are computed in whole blocks. A first layer's are not, which has kernels of its own.
double share_of_blocks(ConvDirection direction, const ConvLayer& layer) {
  constexpr int64_t kBlock = 16, kFirstLayer = 3;
  const int64_t channels = direction == ConvDirection::forward ? layer.out : layer.in;
  if (channels >= kBlock || (direction != ConvDirection::forward && channels <= kFirstLayer)) return 1;
  return double(channels) / double(kBlock);
}

struct Point {
  double at, rate;
};

// `points` rise and are not empty.
double between(std::span<const Point> points, double at) {
  if (at <= points.front().at) return points.front().rate * at / points.front().at;
  if (at >= points.back().at) return points.back().rate;
  size_t i = 1;
  while (points[i].at < at) ++i;
  const Point &a = points[i - 1], &b = points[i];
  const double part = std::log(at / a.at) / std::log(b.at / a.at);
  return a.rate * std::pow(b.rate / a.rate, part);
}

int64_t nearest_kernel(std::span<const ConvRate> rows, int64_t kernel) {
  int64_t nearest = 0;
  for (const auto& row : rows)
    if (nearest == 0 || std::abs(row.kernel - kernel) < std::abs(nearest - kernel)) nearest = row.kernel;
  return nearest;
}

}  // namespace

std::string_view name_of(ConvDirection direction) { return kDirections.at(size_t(direction)); }
std::string_view name_of(ConvMethod method) { return line_of(method).name; }
std::string_view way_of(ConvMethod method) { return name_of(method).substr(0, name_of(method).find('_')); }

std::optional<ConvDirection> conv_direction_named(std::string_view name) {
  for (const auto direction : kConvDirections)
    if (name_of(direction) == name) return direction;
  return std::nullopt;
}

std::optional<ConvMethod> conv_method_named(std::string_view name) {
  for (const auto& line : kMethods)
    if (line.name == name) return line.method;
  return std::nullopt;
}

double ConvLayer::channels() const { return 2.0 / (1.0 / double(in) + 1.0 / double(out)); }

bool computes(ConvMethod method, const ConvLayer& layer) {
  if (method == ConvMethod::direct) return !is_depthwise(layer);
  if (method == ConvMethod::depthwise) return is_depthwise(layer);
  if (method == ConvMethod::product) return layer.kernel == 1 && layer.groups == 1;
  const MethodLine& line = line_of(method);
  return layer.kernel >= line.least_kernel && layer.kernel <= line.most_kernel && layer.square && layer.stride == 1 &&
         layer.dilation == 1 && layer.groups == 1;
}

ConvRates::ConvRates(std::vector<ConvRate> rows) : rows_(std::move(rows)) { std::sort(rows_.begin(), rows_.end()); }

std::optional<FlopsPerSecond> ConvRates::rate(ConvDirection direction, ConvMethod method,
                                              const ConvLayer& layer) const {
  if (!computes(method, layer)) return std::nullopt;
  const auto of_method = [&](const ConvRate& row) { return row.direction == direction && row.method == method; };
  const auto first = std::find_if(rows_.begin(), rows_.end(), of_method);
  const auto last = std::find_if_not(first, rows_.end(), of_method);
  const int64_t kernel = nearest_kernel({first, last}, layer.kernel);
  const double places = double(layer.places());
  const double channels = method == ConvMethod::depthwise ? double(layer.groups) : layer.channels();
  std::vector<Point> by_channels, by_places;
  for (auto row = first; row != last; ++row) {
    if (row->kernel != kernel) continue;
    by_places.push_back({double(row->places), row->rate.per_second});
    const auto next = row + 1;
    if (next != last && next->kernel == kernel && next->channels == row->channels) continue;
    by_channels.push_back({double(row->channels), between(by_places, places)});
    by_places.clear();
  }
  if (by_channels.empty()) return std::nullopt;
  if (line_of(method).transforms && double(std::min(layer.in, layer.out)) < by_channels.front().at) return std::nullopt;
  double share = share_of_tiles(layer, line_of(method).tile);
  if (method == ConvMethod::direct) share *= share_of_blocks(direction, layer);
  if (method == ConvMethod::fft) share *= double(layer.kernel * layer.kernel) / double(kernel * kernel);  // as long
  return FlopsPerSecond{between(by_channels, std::max(channels, by_channels.front().at)) * share};
}

std::optional<ConvRates::Fastest> ConvRates::fastest(ConvDirection direction, std::span<const ConvMethod> methods,
                                                     const ConvLayer& layer) const {
  std::optional<Fastest> best;
  for (const ConvMethod method : methods)
    if (const auto known = rate(direction, method, layer); known && (!best || *known > best->rate))
      best = Fastest{method, *known};
  return best;
}

}  // namespace plimsoll
