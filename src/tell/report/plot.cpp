#include "tell/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tell/report/plot_marks.h"
#include "tell/report/plot_ticks.h"

namespace plimsoll {
namespace {

constexpr double kWidth = 560, kPlotHeight = 228, kLeft = 76, kRight = 16, kBottom = 44;
constexpr double kTitle = 26, kLegendRow = 18, kCharacter = 6.9, kSample = 34;
constexpr size_t kMostPoints = 600;

struct Range {
  PlotScale scale = PlotScale::linear;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool shows(double value) const { return std::isfinite(value) && (scale == PlotScale::linear || value > 0); }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen() {
    if (high > low) return;
    const double room = low == 0 ? 1 : std::abs(low) * 0.1;
    low -= room;
    high += room;
  }
  std::vector<double> ticks() const {
    return scale == PlotScale::linear ? round_ticks(low, high) : logarithmic_ticks(low, high);
  }
  // 0 at the low end, 1 at the high one.
  double share(double value) const {
    if (scale == PlotScale::linear) return (value - low) / (high - low);
    return std::log(value / low) / std::log(high / low);
  }
};

// The mean of each run of neighbours, so that a line keeps its shape.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& kept) {
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

// The highest of each run of neighbours, so that an area keeps its peak.
std::vector<PlotPoint> highest(const std::vector<PlotPoint>& kept) {
  if (kept.size() <= kMostPoints) return kept;
  std::vector<PlotPoint> thin;
  for (size_t i = 0; i < kMostPoints; ++i) {
    const size_t first = i * kept.size() / kMostPoints, last = (i + 1) * kept.size() / kMostPoints;
    PlotPoint top = kept[first];
    for (size_t k = first; k < last; ++k) top.y = std::max(top.y, kept[k].y);
    thin.push_back(top);
  }
  return thin;
}

std::string tick_text(double tick, std::string (*text)(double)) {
  return text ? html_escaped(text(tick)) : fmt::format("{:g}", tick);
}

size_t characters(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// One plot, laid out: its legend may take several rows, so the height is known only then.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {
    x_.scale = plot.x_scale;
    y_.scale = plot.y_scale;
    for (const auto& line : plot.lines) {
      std::vector<PlotPoint> kept;
      for (const auto& point : line.points)
        if (x_.shows(point.x) && y_.shows(point.y)) kept.push_back(point);
      shown_.push_back(line.area ? highest(kept) : line.joined ? thinned(kept) : kept);
      for (const auto& point : shown_.back()) {
        x_.add(point.x);
        y_.add(point.y);
      }
    }
    if (empty()) return;
    if (plot.from_zero && y_.scale == PlotScale::linear) y_.add(0);
    for (const auto& label : plot.labels)  // room for the words above their points
      y_.add(y_.scale == PlotScale::linear ? label.y * 1.05 : label.y * 1.5);
    x_.widen();
    y_.widen();
    const auto ticks = y_.ticks();
    y_.add(ticks.front());
    y_.add(ticks.back());
    legend_ = legend();
  }

  bool empty() const { return !std::isfinite(x_.low); }
  double height() const { return top_ + kPlotHeight; }

  std::string svg() const {
    std::string text = fmt::format("<text class='plot-title' x='{:.1f}' y='18'>{}</text>", kLeft, escaped(plot_.title));
    text += legend_;
    std::string above;  // of the axes: areas would hide them
    for (size_t i = 0; i < plot_.lines.size(); ++i) {
      if (shown_[i].empty()) continue;
      if (plot_.lines[i].area) text += filled(i);
      else above += drawn(i);
    }
    return text + axes() + above + labels();
  }

 private:
  static std::string escaped(std::string_view text) { return html_escaped(text); }
  double bottom() const { return height() - kBottom; }
  double px(double value) const { return kLeft + x_.share(value) * (kWidth - kLeft - kRight); }
  double py(double value) const { return bottom() - y_.share(value) * (bottom() - top_); }

  // Colours, dashes and marks are counted over measured lines alone.
  PlotLook look(size_t line) const {
    size_t measured = 0;
    for (size_t i = 0; i < line; ++i) measured += plot_.lines[i].guide ? 0 : 1;
    PlotLook look = plot_.lines[line].guide ? guide_look() : measured_look(measured);
    if (!plot_.lines[line].colour.empty())
      look = {plot_.lines[line].colour, plot_.lines[line].dashed ? "6 4" : "", look.shape};
    return look;
  }

  std::string swatch(size_t line, double x, double y) const {
    return fmt::format("<rect class='{}' x='{:.1f}' y='{:.1f}' width='11' height='11' rx='2'/>", look(line).class_name,
                       x, y - 5.5);
  }

  bool plain(size_t line) const { return !plot_.lines[line].joined || plot_.lines[line].area; }

  std::string legend() {
    top_ = kTitle + 8;
    if (plot_.lines.size() < 2) return "";
    std::string svg;
    double x = kLeft, y = kTitle + 10;
    for (size_t i = 0; i < plot_.lines.size(); ++i) {
      if (plot_.lines[i].name.empty()) continue;
      const bool coloured = plain(i) && !plot_.lines[i].colour.empty();
      const double sample = coloured ? 11 : kSample;
      const double width = sample + 8 + kCharacter * double(characters(plot_.lines[i].name)) + 14;
      if (x > kLeft && x + width > kWidth) {
        x = kLeft;
        y += kLegendRow;
      }
      if (coloured) svg += swatch(i, x, y);
      else if (plot_.lines[i].joined)
        svg += look(i).path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x, y, x + kSample, y));
      if (plot_.lines[i].marks && !coloured) svg += look(i).mark(x + kSample / 2, y);
      svg += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>", x + sample + 6, y + 4, escaped(plot_.lines[i].name));
      x += width;
    }
    top_ = y + kLegendRow;
    return svg;
  }

  std::string axes() const {
    std::string svg;
    for (const double tick : y_.ticks()) {
      if (tick < y_.low || tick > y_.high) continue;
      svg += fmt::format("<line class='plot-grid' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", kLeft,
                         kWidth - kRight, py(tick), py(tick));
      svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>", kLeft - 6, py(tick) + 4,
                         tick_text(tick, plot_.y_text));
    }
    for (const double tick : plot_.x_ticks.empty() ? x_.ticks() : plot_.x_ticks) {
      if (tick < x_.low || tick > x_.high || (plot_.whole_x && tick != std::round(tick))) continue;
      svg += fmt::format("<line class='plot-axis' x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/>", px(tick),
                         bottom(), bottom() + 4);
      svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>", px(tick), bottom() + 17,
                         tick_text(tick, plot_.x_text));
    }
    svg += fmt::format("<line class='plot-axis' x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}'/>", kLeft,
                       kWidth - kRight, bottom());
    svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>", (kLeft + kWidth - kRight) / 2,
                       height() - 8, escaped(plot_.x_label));
    return svg + fmt::format("<text transform='translate(14 {:.1f}) rotate(-90)' text-anchor='middle'>{}</text>",
                             (top_ + bottom()) / 2, escaped(plot_.y_label));
  }

  std::string drawn(size_t line) const {
    std::string path;
    for (const auto& point : shown_[line])
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px(point.x), py(point.y));
    std::string svg = plot_.lines[line].joined ? look(line).path(path) : "";
    if (plot_.lines[line].marks || shown_[line].size() == 1)
      for (const auto& point : shown_[line])
        svg += point.radius > 0 ? look(line).dot(px(point.x), py(point.y), point.radius)
                                : look(line).mark(px(point.x), py(point.y));
    return svg;
  }

  // Between this area and the one before it.
  std::string filled(size_t line) const {
    std::string above, below;
    for (const auto& point : shown_[line])
      above += fmt::format("{}{:.1f} {:.1f}", above.empty() ? "M" : "L", px(point.x), py(point.y));
    size_t before = line;
    while (before > 0 && !plot_.lines[before - 1].area) --before;
    if (before == 0) {
      below = fmt::format("V{:.1f}H{:.1f}", bottom(), px(shown_[line].front().x));
    } else {
      const auto& lower = shown_[before - 1];
      for (auto point = lower.rbegin(); point != lower.rend(); ++point)
        below += fmt::format("L{:.1f} {:.1f}", px(point->x), py(point->y));
    }
    return fmt::format("<path class='{}' d='{}{}Z'/>", look(line).class_name, above, below);
  }

  std::string labels() const {
    std::string svg;
    for (const auto& label : plot_.labels) {
      const double x = px(label.x), wide = kCharacter * double(characters(label.text)) + 10;
      const bool right = x + wide < kWidth - 2;
      svg += fmt::format("<text class='plot-label' x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>",
                         right ? x + 8 : x - 8, std::max(top_ + 10, py(label.y) - 6), right ? "start" : "end",
                         escaped(label.text));
    }
    return svg;
  }

  const Plot& plot_;
  Range x_, y_;
  std::vector<std::vector<PlotPoint>> shown_;
  double top_ = 0;
  std::string legend_;
};

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

std::string svg_picture(double width, double height, std::string_view label, std::string_view content) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' height='{1:.0f}' "
      "role='img' aria-label='{2}'><style>{3}</style>"
      "<rect class='plot-ground' width='{0:.0f}' height='{1:.0f}'/>{4}</svg>\n",
      width, height, html_escaped(label), plot_style(), content);
}

std::string plot_svg(const Plot& plot) { return plots_svg({plot}); }

std::string plots_svg(const std::vector<Plot>& plots) {
  std::string content, label;
  double height = 0;
  for (const auto& plot : plots) {
    const Drawing drawing(plot);
    if (drawing.empty()) continue;
    content += fmt::format("<g transform='translate(0 {:.1f})'>{}</g>", height, drawing.svg());
    label += (label.empty() ? "" : "; ") + plot.title;
    height += drawing.height();
  }
  return content.empty() ? "" : svg_picture(kWidth, height, label, content);
}

}  // namespace plimsoll
