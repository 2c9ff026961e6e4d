#include "run/data/picture.h"

#include <gtest/gtest.h>

#include "tests/unit/run/data/made_pictures.h"

namespace plimsoll {
namespace {

struct Decoded {
  PlaneSize size;
  std::vector<uint8_t> pixels;
};

Result<Decoded> decode(const std::string& file, int64_t channels = 3, PlaneSize target = {1 << 20, 1 << 20}) {
  PLIM_ASSIGN(const PictureHeader header, picture_header(MemorySource(file)));
  Decoded decoded{decoded_size(header, target), {}};
  decoded.pixels.resize(size_t(decoded.size.height * decoded.size.width * channels));
  PLIM_TRY(decode_picture(file, header, decoded.size, channels, decoded.pixels));
  return decoded;
}

std::string failure(const std::string& file) {
  const auto decoded = decode(file);
  return decoded.ok() ? "" : decoded.error().line();
}

std::vector<int> first_pixel(const std::string& file, int64_t channels = 3) {
  const auto decoded = decode(file, channels);
  EXPECT_TRUE(decoded.ok()) << decoded.error().line();
  if (!decoded.ok()) return {};
  return {decoded->pixels.begin(), decoded->pixels.begin() + channels};
}

void expect_near(const std::vector<int>& found, const std::vector<int>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2) << i;
}

TEST(PictureTest, JpegBaselineProgressiveAndGray) {
  expect_near(first_pixel(made_jpeg(20, 10, {200, 100, 50})), {200, 100, 50});
  expect_near(first_pixel(made_jpeg(20, 10, {200, 100, 50}, TJPF_RGB, TJFLAG_PROGRESSIVE)), {200, 100, 50});
  expect_near(first_pixel(made_jpeg(20, 10, {77}, TJPF_GRAY)), {77, 77, 77});
  expect_near(first_pixel(made_jpeg(20, 10, {77}, TJPF_GRAY), 1), {77});
}

TEST(PictureTest, PngOfEveryKind) {
  expect_near(first_pixel(flat_png(3, 2, "\x0a\x14\x1e")), {10, 20, 30});
  expect_near(first_pixel(flat_png(3, 2, "\x4d", {.colour = 0})), {77, 77, 77});
  expect_near(first_pixel(flat_png(3, 2, std::string("\x0a\x00\x14\x00\x1e\x00", 6), {.depth = 16})), {10, 20, 30});
  const std::string palette = png_chunk("PLTE", std::string("\x01\x02\x03\x0a\x14\x1e", 6));
  expect_near(first_pixel(flat_png(3, 2, "\x01", {.colour = 3, .before_data = palette})), {10, 20, 30});
  const std::string clear = palette + png_chunk("tRNS", std::string("\xff\x00", 2));
  expect_near(first_pixel(flat_png(3, 2, "\x01", {.colour = 3, .before_data = clear})), {0, 0, 0});
  expect_near(first_pixel(flat_png(3, 2, "\x0a\x14\x1e\xff", {.colour = 6})), {10, 20, 30});
  const std::string animated = png_chunk("acTL", big_endian_bytes(2) + big_endian_bytes(0));
  expect_near(first_pixel(flat_png(3, 2, "\x0a\x14\x1e", {.before_data = animated})), {10, 20, 30});
}

TEST(PictureTest, ALargeJpegIsDecodedSmaller) {
  const std::string jpeg = made_jpeg(400, 320, {200, 100, 50});
  const auto decoded = decode(jpeg, 3, {64, 64});
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->size, (PlaneSize{80, 100}));  // two eighths: one would be 40 high
  expect_near({decoded->pixels[0], decoded->pixels[1], decoded->pixels[2]}, {200, 100, 50});
}

TEST(PictureTest, WhatIsNoPicture) {
  EXPECT_EQ(failure(""), "is empty, expected a JPEG, PNG, WebP or BMP picture");
  EXPECT_EQ(failure("hello, I am a text file"), "is not a JPEG, PNG, WebP or BMP picture");
  EXPECT_EQ(failure("x"), "is not a JPEG, PNG, WebP or BMP picture");
}

TEST(PictureTest, EveryTruncationIsRefused) {
  const std::string jpeg = made_jpeg(40, 30, {200, 100, 50}), png = flat_png(30, 20, "\x0a\x14\x1e");
  for (size_t length = 1; length + 3 < jpeg.size(); length += 7)
    EXPECT_NE(failure(jpeg.substr(0, length)), "") << length;
  for (size_t length = 1; length + 13 < png.size(); ++length) EXPECT_NE(failure(png.substr(0, length)), "") << length;
}

TEST(PictureTest, CmykIsRefused) {
  EXPECT_EQ(failure(made_jpeg(8, 8, {10, 20, 30, 40}, TJPF_CMYK)),
            "is a CMYK JPEG, expected gray or RGB (save it as RGB)");
}

TEST(PictureTest, SizesThatNobodyCanHold) {
  std::string jpeg = made_jpeg(16, 16, {1, 2, 3});
  const size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  for (size_t i = 5; i < 9; ++i) jpeg[frame + i] = char(0xff);
  EXPECT_EQ(failure(jpeg), "states 65535x65535 pixels, expected 1 to 67,108,864 in all");
  EXPECT_EQ(failure(made_png(65535, 65535, "")), "states 65535x65535 pixels, expected 1 to 67,108,864 in all");
  EXPECT_NE(failure(made_png(0xffffffff, 0xffffffff, "")), "");
  EXPECT_NE(failure(made_png(0, 5, "")), "");
}

// 8x8 pixels, and 20 million bytes behind them: they are not inflated into memory.
TEST(PictureTest, APngBombIsNotBlownUp) {
  const auto decoded = decode(made_png(8, 8, std::string(20'000'000, '\0')));
  if (decoded.ok()) {
    EXPECT_EQ(decoded->pixels, std::vector<uint8_t>(8 * 8 * 3, 0));
  } else {
    EXPECT_NE(decoded.error().line().find("damaged PNG"), std::string::npos);
  }
}

// A scan costs a pass over the whole picture: thousands of them are an attack.
TEST(PictureTest, ThousandsOfScansAreRefused) {
  const std::string jpeg = made_jpeg(64, 64, {200, 100, 50}, TJPF_RGB, TJFLAG_PROGRESSIVE);
  const size_t last = jpeg.rfind("\xff\xda"), end = jpeg.rfind("\xff\xd9");
  ASSERT_LT(last, end);
  const std::string scan = jpeg.substr(last, end - last);
  std::string many = jpeg.substr(0, end);
  for (int i = 0; i < 3000; ++i) many += scan;
  EXPECT_NE(failure(many + jpeg.substr(end)), "");
}

TEST(PictureTest, PngOutAndInAgain) {
  const std::vector<uint8_t> pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const auto png = encode_png(pixels, {2, 2}, 3);
  ASSERT_TRUE(png.ok());
  EXPECT_EQ(decode(*png)->pixels, pixels);
}

}  // namespace
}  // namespace plimsoll
