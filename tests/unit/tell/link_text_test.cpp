#include "plan/time/link_text.h"

#include <gtest/gtest.h>

#include "tell/report/link_table.h"

namespace plimsoll {
namespace {

TEST(LinkText, ReadsNamesAndFigures) {
  EXPECT_EQ(parse_link("--link", "10gbe")->name, "10gbe");
  const Link own = *parse_link("--link", "25Gbit/s:30us");
  EXPECT_DOUBLE_EQ(own.rate.per_second, 3.125e9);
  EXPECT_DOUBLE_EQ(own.latency.value, 30e-6);
  EXPECT_DOUBLE_EQ(own.reached().per_second, 3.125e9);  // as measured
  EXPECT_DOUBLE_EQ(parse_link("--link", "1.1GB/s:2ms")->rate.per_second, 1.1e9);
  EXPECT_DOUBLE_EQ(parse_link("--link", "100Mbit/s")->rate.per_second, 12.5e6);
  EXPECT_EQ(parse_link("--link", "100Mbit/s")->latency, kNetworkLatency);
  EXPECT_DOUBLE_EQ(parse_link("--link", "1Gbit/s:0us")->latency.value, 0);
}

TEST(LinkText, RefusesEverythingElse) {
  for (const char* text : {"", ":", "10", "10gb", "0Gbit/s", "-1Gbit/s", "nanGbit/s", "25Gbit/s:", "25Gbit/s:30",
                           "25Gbit/s:-1us", "25Gbit/s:1h", "10gbe:1us", "25 Gbit", "1e30GB/s"})
    EXPECT_FALSE(parse_link("--link", text).ok()) << text;
}

TEST(LinkText, AllLinksAreListed) {
  for (const auto& link : all_links()) {
    EXPECT_NE(link_names().find(link.name), std::string::npos);
    EXPECT_NE(link_table().find(link.source), std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll
