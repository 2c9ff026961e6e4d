#include "tell/report/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

}  // namespace
}  // namespace plimsoll
