#include "tell/report/device_plot.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const DevicePlotLabels kLabels{"t", "time", "USD"};

TEST(DevicePlot, TheFrontierIsOfThoseThatNobodyBeatsInBoth) {
  const Plot plot = device_plot({{"quick", 10, 100.0, true},
                                 {"beaten", 20, 200.0, true},
                                 {"cheap", 1000, 1.0, true},
                                 {"free", 5, std::nullopt, true},
                                 {"small", 1, 0.1, false}},
                                "beaten", "cheap", kLabels);
  ASSERT_EQ(plot.lines.size(), 4u);
  EXPECT_EQ(plot.lines[0].points.size(), 3u);  // those that fit and have a price
  ASSERT_EQ(plot.lines[1].points.size(), 2u);
  EXPECT_EQ(plot.lines[1].points[0].x, 10);
  EXPECT_EQ(plot.lines[1].points[1].x, 1000);
  ASSERT_EQ(plot.labels.size(), 2u);
  const std::string svg = plot_svg(plot);
  for (const char* part : {">beaten<", ">cheap<", ">1 min<", "place-taken", "place-chosen"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(DevicePlot, OfOneDeviceThereIsNothingToSee) {
  EXPECT_EQ(plot_svg(device_plot({{"one", 10, 100.0, true}}, "one", "one", kLabels)), "");
}

}  // namespace
}  // namespace plimsoll
