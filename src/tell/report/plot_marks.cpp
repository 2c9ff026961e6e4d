#include "tell/report/plot_marks.h"

#include <fmt/format.h>

#include "tell/report/colours.h"

namespace plimsoll {
namespace {

constexpr PlotLook kLooks[] = {
    {"plot-0", "", "M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"},  // a dot
    {"plot-1", "7 3", "M-3 -3h6v6h-6z"},                                 // a square
    {"plot-2", "3 2.5", "M0 -4l4 7h-8z"},                                // a triangle
    {"plot-3", "10 3 2 3", "M0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z"},       // a diamond
    {"plot-4", "10 2 2 2 2 2", "M0 4l4 -7h-8z"},                         // a triangle on its head
};

constexpr std::string_view kStyle =
    "text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#14212b}.plot-title{font-weight:600;font-size:13px}"
    ".plot-ground{fill:#fff}.plot-grid{stroke:#e1e5ea}.plot-axis{stroke:#57606a}"
    ".plot-line{fill:none;stroke-width:1.8}.plot-mark{stroke:none}"
    ".plot-guide{stroke:#57606a;fill:#57606a}.plot-line.plot-guide{stroke-width:1.2;fill:none}"
    ".plot-0{stroke:#362dcd}.plot-1{stroke:#e05a00}.plot-2{stroke:#0a8f3c}.plot-3{stroke:#d12fb8}.plot-4{stroke:#"
    "4d4e03}"
    ".plot-mark.plot-0{fill:#362dcd}.plot-mark.plot-1{fill:#e05a00}.plot-mark.plot-2{fill:#0a8f3c}"
    ".plot-mark.plot-3{fill:#d12fb8}.plot-mark.plot-4{fill:#4d4e03}"
    ".hold{fill:#eef2f5;stroke:#6f7f8c}.line-text{fill:#b3261e;font-weight:600}.load-line,.mark{stroke:#b3261e;"
    "stroke-width:2.5;fill:none}.memory-end{stroke:#14212b;stroke-width:2}.whisker,.needed{stroke:#14212b;fill:none;"
    "stroke-width:1.6}.needed{stroke-dasharray:3 3}.flood{fill:#b3261e;opacity:.55}.sea{fill:#9fcbe0;opacity:.45}"
    ".surface{fill:none;stroke:#9fcbe0;stroke-width:2}.stripe{fill:#fff;opacity:.6}.part-name{fill:#fff;font-weight:"
    "600}"
    ".roof{stroke:#14212b;stroke-width:2.5}.plot-dot{opacity:.85;stroke:#14212b;stroke-width:.6}.plot-label{paint-"
    "order:stroke;stroke:#fff;"
    "stroke-width:4px;stroke-linejoin:round}"
    "@media screen and "
    "(prefers-color-scheme:dark){text{fill:#e8eef3}.plot-ground{fill:#17202a}.plot-grid{stroke:#33414d}"
    ".plot-axis{stroke:#8b949e}.plot-guide{stroke:#8b949e;fill:#8b949e}"
    ".plot-0{stroke:#8f8cff}.plot-1{stroke:#fc5b15}.plot-2{stroke:#06c750}.plot-3{stroke:#ed44ec}.plot-4{stroke:#"
    "a19e54}"
    ".plot-mark.plot-0{fill:#8f8cff}.plot-mark.plot-1{fill:#fc5b15}.plot-mark.plot-2{fill:#06c750}"
    ".plot-mark.plot-3{fill:#ed44ec}.plot-mark.plot-4{fill:#a19e54}"
    ".hold{fill:#0e151c;stroke:#8b9aa8}.line-text{fill:#ff8f86}.load-line,.mark{stroke:#ff8f86}.memory-end,.whisker,"
    ".needed{stroke:#e8eef3}.flood{fill:#ff8f86}.sea{fill:#24526b}.surface{stroke:#24526b}.stripe{fill:#17202a}"
    ".part-name{fill:#08131a}.roof{stroke:#e8eef3}.plot-dot{stroke:#e8eef3}.plot-label{stroke:#17202a}}";

}  // namespace

std::string PlotLook::path(std::string_view points) const {
  const std::string dashed = dashes.empty() ? "" : fmt::format(" stroke-dasharray='{}'", dashes);
  return fmt::format("<path class='plot-line {}' d='{}'{}/>", class_name, points, dashed);
}

std::string PlotLook::mark(double x, double y) const {
  if (shape.empty()) return "";
  return fmt::format("<path class='plot-mark {}' transform='translate({:.1f} {:.1f})' d='{}'/>", class_name, x, y,
                     shape);
}

std::string PlotLook::dot(double x, double y, double radius) const {
  return fmt::format("<circle class='plot-dot {}' cx='{:.1f}' cy='{:.1f}' r='{:.1f}'/>", class_name, x, y, radius);
}

std::string PlotLook::bar(double x, double y, double width, double height) const {
  return fmt::format("<rect class='plot-mark {}' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'/>", class_name, x,
                     y, width, height);
}

PlotLook measured_look(size_t line) {
  const size_t count = std::size(kLooks);
  const PlotLook& other = kLooks[(line + line / count) % count];
  return {kLooks[line % count].class_name, other.dashes, other.shape};
}

PlotLook guide_look() { return {"plot-guide", "1.5 4", ""}; }

const std::string& plot_style() {
  static const std::string style = tint_style() + std::string(kStyle);
  return style;
}

}  // namespace plimsoll
