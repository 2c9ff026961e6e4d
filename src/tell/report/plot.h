// Plots as SVG, inline or as a file: lines over a pair of axes with round numbers, a legend, and nothing that needs a
// script or a file beside it. They follow the reader's light or dark theme, and lines differ in dashes and marks as
// well as in colour.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct PlotPoint {
  double x = 0, y = 0;
  double radius = 0;  // of a round mark, in pixels; 0: the mark of its line
};

struct PlotLine {
  std::string name;
  std::vector<PlotPoint> points;  // by x; what is not finite is left out
  bool marks = false;             // a mark at each point
  bool guide = false;             // not measured: an ideal, a bound; thin and dotted
  bool joined = true;             // else only the marks are drawn
  std::string colour = {};        // a class of the style sheet, as "kind-pool"; empty: by its place among the lines
  bool dashed = false;            // with a colour of its own: of the same thing as the whole line, otherwise seen
  bool area = false;              // filled down to the area before it, or to the axis
};

// Words at a point, on the side where there is room.
struct PlotLabel {
  double x = 0, y = 0;
  std::string text;
};

enum class PlotScale { linear, logarithmic };  // logarithmic: what is not above 0 is left out

struct Plot {
  std::string title, x_label, y_label;  // labels with their units
  std::vector<PlotLine> lines;
  bool from_zero = false;  // the y axis, when linear
  bool whole_x = false;    // x counts: no fractions between
  PlotScale x_scale = PlotScale::linear, y_scale = PlotScale::linear;
  std::vector<double> x_ticks = {};  // empty: round numbers
  std::vector<PlotLabel> labels = {};
  std::string (*x_text)(double) = nullptr;  // of ticks; nullptr: the number
  std::string (*y_text)(double) = nullptr;
};

// An empty string when there is nothing to draw. Names are escaped. Long lines are thinned to what can be seen.
std::string plot_svg(const Plot& plot);

// One picture of several plots, one below the other; those with nothing to draw are left out.
std::string plots_svg(const std::vector<Plot>& plots);

// A picture of its own, in the plots' style, around what is drawn in it.
std::string svg_picture(double width, double height, std::string_view label, std::string_view content);

std::string html_escaped(std::string_view text);

}  // namespace plimsoll
