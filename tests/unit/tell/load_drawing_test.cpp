#include "tell/report/load_drawing.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Bytes gib(double count) { return Bytes(int64_t(count * double(int64_t{1} << 30))); }

LoadDrawing half_full() {
  LoadDrawing load;
  load.parts = {{"parameters", gib(2)}, {"activations", gib(6)}};
  load.peak = {gib(7), gib(8), gib(9)};
  load.needed = gib(8);
  load.line = gib(12.8);
  load.memory = gib(16);
  load.load_line = 0.8;
  return load;
}

// With so much more of activations that it is past the line, which some tensor crosses.
LoadDrawing past_the_line(double activations, double peak, const std::string& breaking) {
  LoadDrawing load = half_full();
  load.parts[1].bytes = gib(activations);
  load.peak = {gib(peak - 1), gib(peak), gib(peak + 1)};
  load.needed = gib(peak);
  load.fits = false;
  load.breaking = breaking;
  return load;
}

// Where something is drawn: the number after `attribute` of the first element of a class.
double at(const std::string& svg, const std::string& before, const std::string& attribute) {
  const size_t element = svg.find(before);
  const size_t found = svg.find(attribute, element);
  return element == std::string::npos || found == std::string::npos ? -1
                                                                    : std::stod(svg.substr(found + attribute.size()));
}

TEST(LoadDrawing, LinesAreWhereTheirBytesAre) {
  const std::string svg = load_svg(half_full());
  const double line = at(svg, "class='load-line'", "d='M"), end = at(svg, "class='memory-end'", "d='M");
  EXPECT_NEAR((line - 2) / (end - 2), 0.8, 0.002);
  EXPECT_NEAR(at(svg, "class='line-text'", "x='"), line - 6, 0.2);  // its label beside it
  EXPECT_NE(svg.find("load line 80 %, 12.80 GiB"), std::string::npos);
  EXPECT_EQ(svg.find("class='flood'"), std::string::npos);
}

// A part that the line crosses has its name beside the line, where it can be read.
TEST(LoadDrawing, NoNameIsUnderTheLine) {
  LoadDrawing load = half_full();
  load.parts = {{"activations", gib(24)}};
  load.peak = {gib(24), gib(24), gib(24)};
  load.needed = gib(24);
  load.fits = false;
  const std::string svg = load_svg(load);
  const double line = at(svg, "class='load-line'", "d='M"), name = at(svg, "class='part-name'", "x='");
  EXPECT_GT(std::abs(name - line), 8 * double(std::string("activations").size()) / 2);
}

// Bold letters of 13 pixels take up to 8: the label of next to nothing begins inside of the picture.
TEST(LoadDrawing, TheLabelOfASmallLoadIsWhole) {
  LoadDrawing load = half_full();
  load.peak = {Bytes(1), Bytes(1), Bytes(1)};
  load.needed = Bytes(1);
  const std::string svg = load_svg(load), label = "peak 1 B";
  ASSERT_NE(svg.find(">" + label + "<"), std::string::npos) << svg;
  EXPECT_GE(at(svg, "class='plot-title'", "x='"), 8 * double(label.size()) / 2);
}

TEST(LoadDrawing, OnAPhoneItIsNarrowAndItsLabelsKeepApart) {
  const std::string svg = load_svg(half_full(), kNarrowLoad);
  EXPECT_NE(svg.find("width='330'"), std::string::npos);
  EXPECT_NE(svg.find(">16.00 GiB<"), std::string::npos);  // "memory" would be over the load line
  EXPECT_LE(at(svg, "class='plot-label'", "x='") + 6.5 * double(std::string("16.00 GiB").size()), kNarrowLoad);
  EXPECT_NEAR((at(svg, "class='load-line'", "d='M") - 2) / (at(svg, "class='memory-end'", "d='M") - 2), 0.8, 0.002);
}

// Past the line it is in the middle of the picture: on a phone neither side has room for all that is said of it.
TEST(LoadDrawing, OnAPhoneNoLabelIsOverTheLineOrCut) {
  const LoadDrawing load = past_the_line(22, 24, "model.layers.9.self_attn.q_proj.lora_B.cast, 16.00 MiB");
  const std::string svg = load_svg(load, kNarrowLoad);
  EXPECT_NE(svg.find(">load line 12.80 GiB<"), std::string::npos) << svg;
  const double line = at(svg, "class='load-line'", "d='M");
  EXPECT_NEAR(std::abs(at(svg, "class='line-text'", "x='") - line), 6, 0.2);
  const size_t breaks = svg.find("breaks at ");
  ASSERT_NE(breaks, std::string::npos);
  EXPECT_LE(8 * (svg.find("</text>", breaks) - breaks),
            size_t(kNarrowLoad) + 24);  // the dots at its end are three bytes
}

TEST(LoadDrawing, PastTheLineItIsFloodedAndNamesTheTensor) {
  const std::string svg = load_svg(past_the_line(13, 15, "<conv>, 1.5 GiB"));
  EXPECT_NE(svg.find("class='flood'"), std::string::npos);
  EXPECT_NE(svg.find("breaks at &lt;conv&gt;, 1.5 GiB"), std::string::npos);
  const double dry = at(load_svg(half_full()), "class='surface'", "d='M0 ");
  EXPECT_LT(at(svg, "class='surface'", "d='M0 "), dry);  // the water is higher
}

TEST(LoadDrawing, WhatIsTakenOnlyWhereThereIsRoomIsAPartOfItsOwn) {
  const std::vector<LoadPart> parts{
      {"parameters", gib(1)}, {"fixed", gib(4)}, {"workspace", gib(1)}, {"input", gib(0)}};
  const auto shown = with_spare(parts, gib(6), gib(1.5));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].bytes, gib(1));
  EXPECT_EQ(shown[1].name, "workspace");  // of which half is left
  EXPECT_EQ(shown[1].bytes, gib(0.5));
  EXPECT_EQ(shown[2].name, "spare");
  EXPECT_EQ(shown[2].bytes, gib(4.5));
  EXPECT_EQ(with_spare(parts, gib(6), gib(5.95)).back().name, "workspace");  // next to nothing
}

}  // namespace
}  // namespace plimsoll
