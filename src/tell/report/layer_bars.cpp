#include "tell/report/layer_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/plot.h"
#include "tell/report/plot_marks.h"

namespace plimsoll {
namespace {

constexpr int kNames = 190, kColumn = 290, kBar = 180, kRow = 20, kHead = 58, kMargin = 12;
constexpr size_t kLongestName = 26;

struct BarColumn {
  const char *title, *colour;
  double (*value)(const LayerWeight&);
  std::string (*label)(const LayerWeight&);
};

const BarColumn kColumns[] = {
    {"parameters", "part-parameters", [](const LayerWeight& layer) { return double(layer.params.value()); },
     [](const LayerWeight& layer) { return human_count(layer.params.value()); }},
    {"multiply-accumulates, forward", "place-usual",
     [](const LayerWeight& layer) { return double(layer.macs.value()); },
     [](const LayerWeight& layer) { return human_count(layer.macs.value()); }},
    {"activations", "part-activations", [](const LayerWeight& layer) { return double(layer.activation_bytes.value()); },
     [](const LayerWeight& layer) { return human_bytes(layer.activation_bytes); }},
};

bool worth_a_bar(const LayerWeight& layer) {
  return layer.params.value() > 0 || layer.macs.value() > 0 || layer.activation_bytes.value() > 0;
}

std::vector<LayerWeight> worth_showing(std::vector<LayerWeight> layers) {
  std::erase_if(layers, [](const LayerWeight& layer) { return !worth_a_bar(layer); });
  return layers;
}

std::string shortened(const std::string& name) {
  const std::string safe = printable(name, 200);
  return safe.size() <= kLongestName ? safe : safe.substr(0, kLongestName - 1) + "…";
}

std::string column_svg(const BarColumn& column, const std::vector<LayerWeight>& layers, size_t index) {
  const double left = kNames + double(index) * kColumn;
  double most = 0;
  for (const auto& layer : layers) most = std::max(most, column.value(layer));
  std::string svg = fmt::format("<text x='{:.0f}' y='46'>{}</text>", left, column.title);
  for (size_t i = 0; i < layers.size(); ++i) {
    const double y = kHead + double(i) * kRow, width = most > 0 ? column.value(layers[i]) / most * kBar : 0;
    svg += PlotLook{column.colour, "", ""}.bar(left, y, width, kRow - 6);
    svg += fmt::format("<text x='{:.1f}' y='{:.0f}'>{}</text>", left + width + 6, y + 11,
                       column.value(layers[i]) > 0 ? column.label(layers[i]) : "0");
  }
  return svg;
}

}  // namespace

std::vector<LayerWeight> layers_for_bars(const Weight& weight) {
  auto layers = worth_showing(weight.layers);
  for (int depth = 6; depth >= 1 && layers.size() > kMostBars; --depth)
    layers = worth_showing(grouped(weight.layers, depth));
  if (layers.size() > kMostBars) layers.resize(kMostBars);  // a flat list without common names: its first
  return layers;
}

std::string layer_bars_svg(const Weight& weight) {
  const auto layers = layers_for_bars(weight);
  if (layers.empty()) return "";
  const int width = kNames + int(std::size(kColumns)) * kColumn, height = kHead + int(layers.size()) * kRow + kMargin;
  const std::string title = "Layers: parameters, operations, memory";
  std::string content = fmt::format("<text class='plot-title' x='8' y='20'>{}</text>", title);
  for (size_t i = 0; i < layers.size(); ++i)
    content += fmt::format("<text x='{}' y='{}' text-anchor='end'>{}</text>", kNames - 8, kHead + int(i) * kRow + 11,
                           html_escaped(shortened(layers[i].name)));
  for (size_t i = 0; i < std::size(kColumns); ++i) content += column_svg(kColumns[i], layers, i);
  return svg_picture(width, height, title, content);
}

}  // namespace plimsoll
