#include "tell/report/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tell/report/plot_marks.h"
#include "tell/report/plot_ticks.h"

namespace plimsoll {
namespace {

TEST(Plot, TicksAreRoundAndCover) {
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{0, 1}, {0.31, 0.87}, {-3, 1250}, {1e-7, 2e-7}, {0, 1e12}, {-5, -4.9}}) {
    const auto ticks = round_ticks(low, high);
    EXPECT_GE(ticks.size(), 3u) << low << " " << high;
    EXPECT_LE(ticks.size(), 9u) << low << " " << high;
    EXPECT_LE(ticks.front(), low + 1e-12);
    EXPECT_GE(ticks.back(), high - std::abs(high) * 1e-9);
  }
  EXPECT_EQ(round_ticks(2, 2).size(), 1u);
}

TEST(Plot, NothingToDrawIsNothing) {
  EXPECT_EQ(plot_svg({"empty", "x", "y", {{"none", {}}}}), "");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(plot_svg({"empty", "x", "y", {{"none", {{1, nan}}}}}), "");
}

TEST(Plot, NamesAreEscapedAndNumbersFinite) {
  const std::string svg = plot_svg({"<script>", "x & y", "'y'", {{"a<b", {{1, 1}}}, {"c", {{1, 2}, {2, HUGE_VAL}}}}});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, ALongLineIsThinned) {
  PlotLine line{"long", {}};
  for (int i = 0; i < 100'000; ++i) line.points.push_back({double(i), std::sin(i / 1000.0)});
  EXPECT_LT(plot_svg({"t", "x", "y", {line}}).size(), 20'000u);
}

TEST(Plot, LogarithmicTicksCover) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{{1, 64}, {0.03, 4}, {5, 9}, {1e-9, 1e9}}) {
    const auto ticks = logarithmic_ticks(low, high);
    ASSERT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.front(), low * (1 + 1e-9));
    EXPECT_GE(ticks.back(), high * (1 - 1e-9));
  }
  EXPECT_EQ(logarithmic_ticks(1, 64), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
}

TEST(Plot, ALogarithmicAxisLeavesOutWhatItCannotShow) {
  Plot plot{"t", "x", "y", {{"a", {{0, 1}, {1, 0}, {-1, 5}}}}};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  EXPECT_EQ(plot_svg(plot), "");
  plot.lines[0].points.push_back({2, 3});
  const std::string svg = plot_svg(plot);
  EXPECT_NE(svg, "");
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, LinesDifferWithoutColour) {
  const std::vector<PlotPoint> points{{1, 1}, {2, 2}};
  const std::string svg =
      plot_svg({"t", "x", "y", {{"a", points, true}, {"b", points, true}, {"g", points, false, true}}});
  EXPECT_NE(svg.find("stroke-dasharray='7 3'"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray='1.5 4'"), std::string::npos) << "the guide";
  EXPECT_NE(svg.find("h6v6h-6z"), std::string::npos) << "the second line's marks are squares";
}

TEST(Plot, TheFirst25LinesAllLookDifferent) {
  std::set<std::string> looks;
  for (size_t i = 0; i < 25; ++i) looks.insert(measured_look(i).path("") + measured_look(i).mark(0, 0));
  EXPECT_EQ(looks.size(), 25u);
}

TEST(Plot, AManyNamedLegendTakesMoreRows) {
  Plot plot{"t", "x", "y", {}};
  const auto height = [&] {
    const std::string svg = plot_svg(plot);
    const size_t at = svg.find(" height='") + 9;
    return std::stod(svg.substr(at));
  };
  plot.lines = {{"one", {{1, 1}}}, {"two", {{1, 1}}}};
  const double two = height();
  for (int i = 0; i < 6; ++i) plot.lines.push_back({"a line with quite a long name", {{1, 1}}});
  EXPECT_GT(height(), two);
}

TEST(Plot, AreasLieOnEachOtherAndKeepTheirPeak) {
  PlotLine low{"low", {}, false, false, true, "part-fixed", false, true}, high = low;
  high.name = "high";
  high.colour = "part-activations";
  for (int i = 0; i < 5000; ++i) {
    low.points.push_back({double(i), 1});
    high.points.push_back({double(i), i == 2345 ? 100.0 : 2.0});  // one operation alone
  }
  Plot plot{"t", "x", "y", {low, high}, true};
  plot.labels = {{2345, 100, "the <peak>"}};
  const std::string svg = plot_svg(plot);
  EXPECT_NE(svg.find("<path class='part-fixed' d='M"), std::string::npos);
  EXPECT_NE(svg.find("the &lt;peak&gt;"), std::string::npos);
  const size_t area = svg.find("<path class='part-activations' d='M");
  ASSERT_NE(area, std::string::npos);
  plot.lines[1].points[2345].y = 2;
  EXPECT_NE(svg.substr(area), plot_svg(plot).substr(area));  // it is seen
}

TEST(Plot, DotsHaveTheirOwnSizeAndColour) {
  PlotLine dots{"pooling", {{1, 1, 12.5}, {2, 2, 3}}, true, false, false, "kind-pool"};
  const std::string svg = plot_svg({"t", "x", "y", {dots, {"b", {{1, 1}, {2, 2}}}}});
  EXPECT_NE(svg.find("<circle class='plot-dot kind-pool'"), std::string::npos);
  EXPECT_NE(svg.find("r='12.5'"), std::string::npos);
}

TEST(Plot, SeveralPlotsAreOnePicture) {
  const Plot empty{"empty", "x", "y", {}}, full{"full", "x", "y", {{"a", {{1, 1}, {2, 2}}}}};
  EXPECT_EQ(plots_svg({empty}), "");
  EXPECT_EQ(plots_svg({empty, full}), plot_svg(full));
  const std::string both = plots_svg({full, full});
  EXPECT_EQ(both.find("<svg"), both.rfind("<svg"));
}

}  // namespace
}  // namespace plimsoll
