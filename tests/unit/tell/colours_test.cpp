#include "tell/report/colours.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <regex>

namespace plimsoll {
namespace {

// What the page's style sheet calls a colour of ours.
std::string page_name(std::string_view name) {
  if (name == "place-usual") return "control";
  if (name == "place-best") return "accent";
  if (name == "place-taken") return "good";
  if (name == "place-chosen") return "second";
  return std::string(name);
}

std::string colour_in(const std::string& css, const std::string& name) {
  std::smatch found;
  return std::regex_search(css, found, std::regex("--" + name + ": (#[0-9a-f]+);")) ? found[1].str() : "";
}

TEST(Colours, AreThePages) {
  std::ifstream file(std::string(PLIM_TEST_DATA) + "/../../web/src/style/base.css");
  const std::string css{std::istreambuf_iterator<char>(file), {}};
  const size_t dark = css.find("[data-theme='dark']");
  ASSERT_NE(dark, std::string::npos);
  for (const Tint& tint : all_tints()) {
    EXPECT_EQ(tint.light, colour_in(css.substr(0, dark), page_name(tint.name))) << tint.name;
    EXPECT_EQ(tint.dark, colour_in(css.substr(dark), page_name(tint.name))) << tint.name;
  }
}

// CIELAB, where distances are about those that are seen.
std::array<double, 3> lab_of(std::string_view hex) {
  std::array<double, 3> rgb{};
  for (size_t i = 0; i < 3; ++i) {
    const double share = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    rgb[i] = share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  }
  const auto root = [](double share) { return share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116; };
  const double x = root((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
  const double y = root(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
  const double z = root((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// A part of the memory, a kind of work, a run, a mark: no two look alike. Grey is for what has none.
TEST(Colours, HaveOneMeaningEach) {
  constexpr double kSeen = 8;
  for (const auto colour : {&Tint::light, &Tint::dark})
    for (const Tint& one : all_tints())
      for (const Tint& other : all_tints()) {
        if (&one >= &other || one.name == "place-usual" || other.name == "place-usual") continue;
        const auto a = lab_of(one.*colour), b = lab_of(other.*colour);
        EXPECT_GT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), kSeen) << one.name << " and " << other.name;
      }
}

TEST(Colours, EveryKindAndPartHasAClass) {
  EXPECT_EQ(kind_class("grad data"), "kind-grad-data");
  EXPECT_EQ(kind_class("attention"), "kind-attention");
  EXPECT_EQ(kind_class("something new"), "kind-nothing");
  EXPECT_EQ(part_class("communication"), "part-exchange");
  EXPECT_EQ(part_class("spare"), "part-slack");
  for (const Tint& tint : all_tints())
    EXPECT_NE(tint_style().find(std::string(".") + std::string(tint.name) + "{"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
