// Plots as inline SVG: lines over a pair of axes with round numbers, a legend, and nothing that needs a script or a
// file beside it.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

struct PlotPoint {
  double x = 0, y = 0;
};

struct PlotLine {
  std::string name;
  std::vector<PlotPoint> points;  // by x; what is not finite is left out
  bool marks = false;             // a dot at each point
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
  bool from_zero = false;  // the y axis
  bool whole_x = false;    // x counts: no fractions between
};

// An empty string when there is nothing to draw. Names are escaped. Long lines are thinned to what can be seen.
std::string plot_svg(const Plot& plot);

// 3 to 7 round numbers that cover [low, high].
std::vector<double> round_ticks(double low, double high);

std::string html_escaped(std::string_view text);

}  // namespace plimsoll
