#include "tell/report/load_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/size_text.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

constexpr double kLoadWidth = 900, kLoadHeight = 194, kLoadTop = 54, kLoadBottom = 108, kLoadLetter = 6.9;

// Text beside a vertical line, on the side where there is room.
std::string label_beside(double x, double y, const std::string& text, const char* look) {
  const bool left = double(text.size()) * kLoadLetter + 10 < x;
  return fmt::format("<text class='{}' x='{:.1f}' y='{:.0f}' text-anchor='{}'>{}</text>", look, left ? x - 6 : x + 6, y,
                     left ? "end" : "start", text);
}

struct BarScale {
  double whole = 1;
  double operator()(Bytes bytes) const { return 2 + double(bytes.value()) / whole * (kLoadWidth - 4); }
};

std::string parts_svg(const MemoryBreakdown& breakdown, const BarScale& x) {
  std::string svg, legend;
  Bytes from;
  double at = 2, row = 168;  // of the legend
  for (const MemoryPart part : all_memory_parts()) {
    const Bytes bytes = breakdown[part];
    if (bytes.value() <= 0) continue;
    const std::string name(part_name(part)), amount = human_bytes(bytes);
    svg += fmt::format(
        "<rect class='part-{}' x='{:.1f}' y='{:.0f}' width='{:.1f}' height='{:.0f}'><title>{}: {}</title></rect>", name,
        x(from), kLoadTop, std::max(0.5, x(from + bytes) - x(from)), kLoadBottom - kLoadTop, name, amount);
    const double wide = 32 + kLoadLetter * double(name.size() + amount.size() + 1);
    if (at + wide > kLoadWidth) {
      at = 2;
      row += 18;
    }
    legend += fmt::format(
        "<rect class='part-{0}' x='{1:.0f}' y='{2:.0f}' width='11' height='11'/><text x='{3:.0f}' y='{4:.0f}'>{0} "
        "{5}</text>",
        name, at, row - 10, at + 16, row, amount);
    at += wide;
    from += bytes;
  }
  return svg + legend;
}

}  // namespace

std::string load_bar_svg(const FitAnswer& answer, Bytes memory) {
  const PeakRange& peak = answer.load.peak;
  const BarScale x{double(std::max({memory, peak.expected, peak.high}).value()) * 1.03};
  std::string svg = fmt::format("<rect class='hold' x='2' y='{:.0f}' width='{:.1f}' height='{:.0f}'/>", kLoadTop,
                                x(memory) - 2, kLoadBottom - kLoadTop);
  svg += parts_svg(answer.load.breakdown, x);
  if (answer.load.needed > answer.line)
    svg += fmt::format("<rect class='flood' x='{:.1f}' y='{:.0f}' width='{:.1f}' height='{:.0f}'/>", x(answer.line),
                       kLoadTop, x(peak.expected) - x(answer.line), kLoadBottom - kLoadTop);
  svg +=
      fmt::format("<path class='memory-end' d='M{0:.1f} 22V{1:.0f}'/><path class='load-line' d='M{2:.1f} 4V{1:.0f}'/>",
                  x(memory), kLoadBottom + 6, x(answer.line));
  const std::string line = fmt::format("load line, {}", human_bytes(answer.line));
  svg += label_beside(x(answer.line), 15, line, "line-text") +
         label_beside(x(memory), 38, "memory " + human_bytes(memory), "");
  std::string said = "peak " + human_bytes(peak.expected);
  if (peak.high > peak.low) {
    svg += fmt::format("<path class='whisker' d='M{0:.1f} 114v10M{0:.1f} 119H{1:.1f}M{1:.1f} 114v10'/>", x(peak.low),
                       x(peak.high));
    said += fmt::format(" ({} to {})", human_bytes(peak.low), human_bytes(peak.high));
  }
  const double half = double(said.size()) * kLoadLetter / 2;
  svg += fmt::format("<text class='plot-title' x='{:.1f}' y='142' text-anchor='middle'>{}</text>",
                     std::clamp(x(peak.expected), half, kLoadWidth - half), said);
  return svg_picture(kLoadWidth, kLoadHeight, fmt::format("{}, {}, memory {}", said, line, human_bytes(memory)), svg);
}

}  // namespace plimsoll
