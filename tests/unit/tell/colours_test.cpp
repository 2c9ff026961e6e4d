#include "tell/report/colours.h"

#include <gtest/gtest.h>

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

TEST(Colours, EveryKindAndPartHasAClass) {
  EXPECT_EQ(kind_class("grad data"), "kind-grad-data");
  EXPECT_EQ(kind_class("something new"), "kind-nothing");
  EXPECT_EQ(part_class("communication"), "part-exchange");
  EXPECT_EQ(part_class("spare"), "part-slack");
  for (const Tint& tint : all_tints())
    EXPECT_NE(tint_style().find(std::string(".") + std::string(tint.name) + "{"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
