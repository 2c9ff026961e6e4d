#include "tell/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kWidth = 560, kHeight = 280, kLeft = 76, kRight = 12, kTop = 34, kBottom = 44;
constexpr size_t kMostPoints = 600;
constexpr const char* kColours[] = {"#1f5fa8", "#d1602b", "#2d8a4e", "#8a4fa0", "#8a6d3b"};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen() {
    if (high <= low) {
      const double room = low == 0 ? 1 : std::abs(low) * 0.1;
      low -= room;
      high += room;
    }
  }
};

bool finite(const PlotPoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

// The mean of each run of neighbours, so that a line keeps its shape.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points) {
  std::vector<PlotPoint> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept), finite);
  if (kept.size() <= kMostPoints) return kept;
  std::vector<PlotPoint> thin;
  for (size_t i = 0; i < kMostPoints; ++i) {
    const size_t first = i * kept.size() / kMostPoints, last = (i + 1) * kept.size() / kMostPoints;
    PlotPoint mean;
    for (size_t k = first; k < last; ++k) {
      mean.x += kept[k].x / double(last - first);
      mean.y += kept[k].y / double(last - first);
    }
    thin.push_back(mean);
  }
  return thin;
}

// A point of the plot in pixels.
struct Frame {
  Range x, y;
  double px(double value) const { return kLeft + (value - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight); }
  double py(double value) const {
    return kHeight - kBottom - (value - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
  }
};

std::string axes(const Plot& plot, const Frame& frame) {
  std::string svg;
  for (const double tick : round_ticks(frame.y.low, frame.y.high)) {
    if (tick < frame.y.low || tick > frame.y.high) continue;
    svg += fmt::format("<line x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}' stroke='#ddd'/>", kLeft, kWidth - kRight,
                       frame.py(tick), frame.py(tick));
    svg +=
        fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>", kLeft - 6, frame.py(tick) + 4, tick);
  }
  for (const double tick : round_ticks(frame.x.low, frame.x.high)) {
    if (tick < frame.x.low || tick > frame.x.high || (plot.whole_x && tick != std::round(tick))) continue;
    svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:g}</text>", frame.px(tick),
                       kHeight - kBottom + 16, tick);
  }
  svg += fmt::format("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='#555'/>", kLeft,
                     kWidth - kRight, kHeight - kBottom);
  svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>", (kLeft + kWidth - kRight) / 2,
                     kHeight - 8, html_escaped(plot.x_label));
  svg += fmt::format("<text x='{:.1f}' y='16' font-weight='bold'>{}</text>", kLeft, html_escaped(plot.title));
  svg += fmt::format("<text transform='translate(14 {:.1f}) rotate(-90)' text-anchor='middle'>{}</text>",
                     (kTop + kHeight - kBottom) / 2, html_escaped(plot.y_label));
  return svg;
}

std::string drawn(const PlotLine& line, const std::vector<PlotPoint>& points, const Frame& frame, const char* colour) {
  std::string path;
  for (const auto& point : points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.px(point.x), frame.py(point.y));
  std::string svg = fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.6'/>", path, colour);
  if (line.marks || points.size() == 1)
    for (const auto& point : points)
      svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.6' fill='{}'/>", frame.px(point.x), frame.py(point.y),
                         colour);
  return svg;
}

std::string legend(const Plot& plot) {
  std::string svg;
  double x = kWidth - kRight;
  for (size_t i = plot.lines.size(); i-- > 0;) {
    x -= 7.0 * double(plot.lines[i].name.size()) + 26;
    svg += fmt::format("<rect x='{:.1f}' y='8' width='12' height='4' fill='{}'/><text x='{:.1f}' y='15'>{}</text>", x,
                       kColours[i % std::size(kColours)], x + 16, html_escaped(plot.lines[i].name));
  }
  return svg;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

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

std::string plot_svg(const Plot& plot) {
  Frame frame;
  std::vector<std::vector<PlotPoint>> shown;
  for (const auto& line : plot.lines) {
    shown.push_back(thinned(line.points));
    for (const auto& point : shown.back()) {
      frame.x.add(point.x);
      frame.y.add(point.y);
    }
  }
  if (!std::isfinite(frame.x.low)) return "";
  if (plot.from_zero) frame.y.add(0);
  frame.x.widen();
  frame.y.widen();
  const auto ticks = round_ticks(frame.y.low, frame.y.high);
  frame.y.add(ticks.front());
  frame.y.add(ticks.back());
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "role='img' font-family='sans-serif' font-size='12' fill='#333'>",
      kWidth, kHeight);
  svg += axes(plot, frame);
  for (size_t i = 0; i < plot.lines.size(); ++i)
    if (!shown[i].empty()) svg += drawn(plot.lines[i], shown[i], frame, kColours[i % std::size(kColours)]);
  if (plot.lines.size() > 1) svg += legend(plot);
  return svg + "</svg>\n";
}

}  // namespace plimsoll
