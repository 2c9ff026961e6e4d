#include "tell/report/load_drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/size_text.h"
#include "tell/report/colours.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

constexpr double kLoadTop = 54, kLoadBottom = 122, kLoadLetter = 6.9;
constexpr double kStern = 22, kBow = 54;  // how far their curves reach in
constexpr double kLoadLegendTop = 186, kLoadLegendRow = 18;

struct BarScale {
  double whole = 1, width = 1;
  double operator()(Bytes bytes) const { return 2 + double(bytes.value()) / whole * (width - 4); }
};

bool has_spare(const LoadDrawing& load) {
  return std::any_of(load.parts.begin(), load.parts.end(), [](const LoadPart& part) { return part.name == "spare"; });
}

double text_width(std::string_view text) { return double(text.size()) * kLoadLetter; }

// Text beside a vertical line: on the left where there is room after what ends at `after`, else on the right, and where
// neither has room over its end.
std::string label_beside(double x, double y, const std::string& text, const char* look, double width,
                         double after = 0) {
  const double wide = text_width(text);
  const bool left = wide + 10 < x - after;
  const double from = left ? x - 6 : x + 6 + wide < width ? x + 6 : width - wide;
  return fmt::format("<text class='{}' x='{:.1f}' y='{:.0f}' text-anchor='{}'>{}</text>", look, from, y,
                     left ? "end" : "start", html_escaped(text));
}

// The hull's outline is that of the memory: what is past its end sticks out.
std::string outline(double end) {
  return fmt::format("M2 {0}H{1:.1f}Q{2:.1f} {3} {4:.1f} {3}H{5}Q2 {3} 2 {0}Z", kLoadTop, end, end - 4, kLoadBottom,
                     end - std::min(kBow, (end - 2) / 2), 2 + kStern);
}

// The fuller, the deeper it lies; past the line it is under.
std::string sea(const LoadDrawing& load, double width) {
  const double share = std::min(1.0, double(load.needed.value()) / double(std::max<int64_t>(1, load.line.value())));
  const double level = load.fits ? kLoadBottom - 12 - share * (kLoadBottom - kLoadTop - 26) : kLoadTop - 7;
  std::string waves = fmt::format("M0 {:.1f}", level);
  for (double at = 0; at < width; at += 28) waves += "q7 -5 14 0t14 0";
  return fmt::format("<path class='sea' d='{0}V{1}H0Z'/><path class='surface' d='{0}'/>", waves, kLoadBottom + 12);
}

std::string rectangle(std::string_view attributes, double left, double right) {
  return fmt::format("<rect {} x='{:.1f}' y='{}' width='{:.1f}' height='{}'", attributes, left, kLoadTop,
                     std::max(0.5, right - left), kLoadBottom - kLoadTop);
}

// Where a name of this width stands in a part: beside the load line, not under it. nullopt: nowhere.
std::optional<double> room_for(double wide, double left, double right, double line) {
  const double inside = line > left && line < right ? line : right;
  if (inside - left > wide) return (left + inside) / 2;
  if (right - inside > wide) return (inside + right) / 2;
  return std::nullopt;
}

std::string parts_svg(const LoadDrawing& load, const BarScale& x) {
  std::string svg =
      load.peak.expected <= load.memory ? fmt::format("<g clip-path='url(#hull-clip-{:.0f})'>", x(load.memory)) : "<g>";
  Bytes from;
  for (const auto& [name, bytes] : load.parts) {
    const double left = x(from), right = x(from + bytes);
    const std::string title(part_title(name));
    svg += rectangle(fmt::format("class='{}'", part_class(name)), left, right) +
           fmt::format("><title>{}: {}</title></rect>", title, human_bytes(bytes));
    if (name == "spare")
      svg += rectangle(fmt::format("fill='url(#spare-stripes-{:.0f})'", x(load.memory)), left, right) + "/>";
    else if (const auto middle = room_for(double(title.size()) * kLoadLetter + 16, left, right, x(load.line)))
      svg += fmt::format("<text class='part-name' x='{:.1f}' y='{}' text-anchor='middle'>{}</text>", *middle,
                         (kLoadTop + kLoadBottom) / 2 + 4, title);
    from += bytes;
  }
  return svg + "</g>";
}

struct Legend {
  std::string svg;
  double height = 0;
};

Legend legend_of(const LoadDrawing& load, double width) {
  Legend legend;
  double at = 2, row = kLoadLegendTop;
  for (const auto& [name, bytes] : load.parts) {
    const std::string text = fmt::format("{} {}", part_title(name), human_bytes(bytes));
    const double room = 32 + text_width(text);
    if (at + room > width && at > 2) {
      at = 2;
      row += kLoadLegendRow;
    }
    legend.svg += fmt::format("<rect class='{}' x='{:.0f}' y='{:.0f}' width='11' height='11' rx='2'/>",
                              part_class(name), at, row - 10);
    legend.svg += fmt::format("<text x='{:.0f}' y='{:.0f}'>{}</text>", at + 16, row, text);
    at += room;
  }
  legend.height = row + 12;
  return legend;
}

std::string range_text(const PeakRange& peak) {
  return peak.high > peak.low ? fmt::format(" ({} to {})", human_bytes(peak.low), human_bytes(peak.high)) : "";
}

std::string peak_text(const LoadDrawing& load) {
  const std::string peak = human_bytes(load.peak.expected) + range_text(load.peak);
  if (load.lower_bound) return "at least " + peak;
  if (!has_spare(load)) return "peak " + peak;
  return fmt::format("needs {}, takes {} if there is room", human_bytes(load.needed), peak);
}

std::string short_peak_text(const LoadDrawing& load) {
  const std::string peak = human_bytes(load.peak.expected);
  return has_spare(load) ? fmt::format("needs {}, takes {}", human_bytes(load.needed), peak) : "peak " + peak;
}

std::string whisker(const LoadDrawing& load, const BarScale& x) {
  const double y = kLoadBottom + 20;
  std::string svg;
  if (has_spare(load))
    svg += fmt::format("<path class='needed' d='M{0:.1f} {1}V{2}'/>", x(load.needed), kLoadTop - 4, y);
  if (load.peak.high > load.peak.low)
    svg += fmt::format("<path class='whisker' d='M{0:.1f} {2}v10M{0:.1f} {3}H{1:.1f}M{1:.1f} {2}v10'/>",
                       x(load.peak.low), x(load.peak.high), y - 5, y);
  std::string said = peak_text(load);
  if (1.1 * text_width(said) > x.width) said = short_peak_text(load);
  constexpr double kBold = 1.25;  // its letters are wider
  const double half = kBold / 2 * text_width(said);
  return svg + fmt::format("<text class='plot-title' x='{:.1f}' y='{}' text-anchor='middle'>{}</text>",
                           std::clamp(x(load.peak.expected), half, std::max(half, x.width - half)), y + 20, said);
}

std::string lines(const LoadDrawing& load, const BarScale& x) {
  const double line = x(load.line), end = x(load.memory), mark = kLoadTop - 11;
  std::string text = fmt::format("load line {:.0f} %, {}", load.load_line * 100, human_bytes(load.line));
  if (const double wide = text_width(text) + 10; wide > line && line + wide > x.width)
    text = "load line " + human_bytes(load.line);  // on one side of the line, not over it
  std::string memory = "memory " + human_bytes(load.memory);
  const double room = text_width(memory) + 18;
  if (end - line < room && end + room > x.width) memory = human_bytes(load.memory);
  return fmt::format("<path class='memory-end' d='M{:.1f} 20V{}'/><path class='load-line' d='M{:.1f} 4V{}'/>", end,
                     kLoadTop, line, kLoadBottom + 6) +
         fmt::format("<circle class='mark' cx='{0:.1f}' cy='{1}' r='6.5'/><path class='mark' d='M{2:.1f} {1}h24'/>",
                     line, mark, line - 12) +
         label_beside(line, 12, text, "line-text", x.width) +
         label_beside(end, 31, memory, "plot-label", x.width, line + 8);
}

std::string flooded(const LoadDrawing& load, const BarScale& x) {
  if (load.fits) return "";
  const double from = x(std::min(load.line, load.peak.expected));
  return rectangle("class='flood'", from, std::max(x(load.peak.expected), from + 3)) + "/>";
}

// Names have the length in them: another hull of the same report may have another one.
std::string definitions(double end) {
  return fmt::format(
      "<defs><clipPath id='hull-clip-{0:.0f}'><path d='{1}'/></clipPath><pattern id='spare-stripes-{0:.0f}' width='7' "
      "height='7' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect class='stripe' width='4' "
      "height='7'/></pattern></defs>",
      end, outline(end));
}

}  // namespace

std::vector<LoadPart> with_spare(std::vector<LoadPart> parts, Bytes peak, Bytes needed) {
  constexpr double kWorthSaying = 0.02;
  std::erase_if(parts, [](const LoadPart& part) { return part.bytes <= Bytes(0); });
  const Bytes spare = peak - needed;
  if (double(spare.value()) <= kWorthSaying * double(peak.value())) return parts;
  Bytes left = spare;
  for (const char* name : {"slack", "fixed", "workspace", "activations"})
    for (auto& part : parts) {
      if (part.name != name) continue;
      const Bytes taken = std::min(left, part.bytes);
      part.bytes = part.bytes - taken;
      left = left - taken;
    }
  std::erase_if(parts, [](const LoadPart& part) { return part.bytes <= Bytes(0); });
  parts.push_back({"spare", spare - left});
  return parts;
}

LoadDrawing load_of(const FitOutcome& outcome) {
  const FitAnswer& answer = outcome.answer;
  std::vector<LoadPart> parts;
  for (const MemoryPart part : all_memory_parts())
    parts.push_back({std::string(part_name(part)), answer.load.breakdown[part]});
  LoadDrawing load{with_spare(std::move(parts), answer.load.peak.expected, answer.load.needed),
                   answer.load.peak,
                   std::min(answer.load.needed, answer.load.peak.expected),
                   answer.line,
                   outcome.question.memory,
                   outcome.question.load_line,
                   outcome.fits(),
                   answer.uncounted.lower_bound(),
                   {}};
  if (!load.fits && answer.breaking_tensor)
    load.breaking = fmt::format("{}, {}", answer.breaking_tensor->name, human_bytes(answer.breaking_tensor->bytes));
  return load;
}

LoadDrawing load_of(const TokenFitOutcome& outcome) {
  const StepMemory& memory = outcome.answer.memory;
  std::vector<LoadPart> parts;
  for (size_t p = 0; p < kTokenParts; ++p) parts.push_back({std::string(name_of(TokenPart(p))), memory.parts[p]});
  LoadDrawing load{with_spare(std::move(parts), memory.peak(), memory.needed()),
                   peak_range(memory.peak()),
                   std::min(memory.needed(), memory.peak()),
                   outcome.answer.line,
                   outcome.memory,
                   outcome.load_line,
                   outcome.fits(),
                   false,
                   {}};
  if (!load.fits && !memory.over.name.empty())
    load.breaking = fmt::format("{}, {}", memory.over.name, human_bytes(memory.over.bytes));
  return load;
}

LoadDrawing load_of(const ServingFitOutcome& outcome) {
  const ServingMemory& memory = outcome.answer.memory;
  const Bytes total = memory.total();
  return {with_spare({{"parameters", memory.weights},
                      {"cache", memory.cache},
                      {"activations", memory.activations},
                      {"logits", memory.logits},
                      {"workspace", memory.scratch},
                      {"fixed", memory.fixed}},
                     total, total),
          {total, total, total},
          total,
          outcome.answer.line,
          outcome.question.memory,
          outcome.question.load_line,
          outcome.answer.fits,
          false,
          outcome.answer.fits ? "" : outcome.answer.breaks};
}

std::string about_load(double load_line, std::string_view when) {
  std::string text = fmt::format("The hull is the device’s memory {}.", when);
  if (load_line < 1) text += fmt::format(" The load line keeps {:.0f} % in reserve.", 100 * (1 - load_line));
  return text;
}

std::string load_svg(const LoadDrawing& load, double width) {
  const BarScale x{double(std::max({load.memory, load.peak.expected, load.peak.high}).value()) * 1.03, width};
  const Legend legend = legend_of(load, width);
  std::string svg = definitions(x(load.memory)) + sea(load, width) +
                    fmt::format("<path class='hold' d='{}'/>", outline(x(load.memory)));
  svg += parts_svg(load, x) + flooded(load, x) + lines(load, x) + whisker(load, x) + legend.svg;
  double height = legend.height;
  if (!load.breaking.empty()) {
    constexpr double kBoldLetter = 8;
    const auto room = size_t(width / kBoldLetter) - std::string_view("breaks at ").size();
    svg += fmt::format("<text class='line-text' x='2' y='{:.0f}'>breaks at {}</text>", height + 8,
                       html_escaped(printable(load.breaking, room)));
    height += 22;
  }
  return svg_picture(
      width, height,
      fmt::format("{}, load line {}, memory {}", peak_text(load), human_bytes(load.line), human_bytes(load.memory)),
      svg);
}

}  // namespace plimsoll
