#include "tell/report/plot_marks.h"

#include <fmt/format.h>

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
    "text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#24292f}.plot-title{font-weight:600;font-size:13px}"
    ".plot-ground{fill:#fff}.plot-grid{stroke:#e1e5ea}.plot-axis{stroke:#57606a}"
    ".plot-line{fill:none;stroke-width:1.8}.plot-mark{stroke:none}"
    ".plot-guide{stroke:#57606a;fill:#57606a}.plot-line.plot-guide{stroke-width:1.2;fill:none}"
    ".plot-0{stroke:#1f5fa8}.plot-1{stroke:#b8511f}.plot-2{stroke:#2d7a46}.plot-3{stroke:#8a4fa0}.plot-4{stroke:#"
    "7a5c1e}"
    ".plot-mark.plot-0{fill:#1f5fa8}.plot-mark.plot-1{fill:#b8511f}.plot-mark.plot-2{fill:#2d7a46}"
    ".plot-mark.plot-3{fill:#8a4fa0}.plot-mark.plot-4{fill:#7a5c1e}"
    "@media (prefers-color-scheme:dark){text{fill:#d6dde5}.plot-ground{fill:#161b22}.plot-grid{stroke:#30363d}"
    ".plot-axis{stroke:#8b949e}.plot-guide{stroke:#8b949e;fill:#8b949e}"
    ".plot-0{stroke:#79c0ff}.plot-1{stroke:#ffa657}.plot-2{stroke:#7ee787}.plot-3{stroke:#d2a8ff}.plot-4{stroke:#"
    "e3b341}"
    ".plot-mark.plot-0{fill:#79c0ff}.plot-mark.plot-1{fill:#ffa657}.plot-mark.plot-2{fill:#7ee787}"
    ".plot-mark.plot-3{fill:#d2a8ff}.plot-mark.plot-4{fill:#e3b341}}";

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

std::string_view plot_style() { return kStyle; }

}  // namespace plimsoll
