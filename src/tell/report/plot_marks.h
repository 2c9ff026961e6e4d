// How the lines of a plot look: colour, dashes and the shape of their marks, so that each is told from the others
// without colour; and the style sheet, for light and dark.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

struct PlotLook {
  std::string_view class_name, dashes;  // dashes empty: a whole line
  std::string_view shape;               // around (0, 0), as an SVG path; empty: none

  std::string path(std::string_view points) const;
  std::string mark(double x, double y) const;
  std::string dot(double x, double y, double radius) const;
  std::string bar(double x, double y, double width, double height) const;
};

PlotLook measured_look(size_t line);  // colours come again after a while, with other dashes and marks
PlotLook guide_look();

const std::string& plot_style();

}  // namespace plimsoll
