// BMP and WebP pictures of three by two pixels, each colour known.
#include <gtest/gtest.h>

#include "run/data/picture.h"

namespace plimsoll {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += char(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

const std::string kBmp = from_hex(
    "424d4e0000000000000036000000280000000300000002000000010018000000000018000000c40e0000c40e000000000000000000001e140a"
    "32"
    "64c8ffffff0000000000ff00ff00ff0000000000");
const std::string kWebp = from_hex(
    "5249464642000000574542505650384c360000002f024000002f40906db341dcebfe32d32093b6c95fff76666d64d236ad87fdf3afb2f31f68"
    "e4"
    "91acfb06040294b1e2816d22fa1fe305");
const std::string kHalfClearWebp = from_hex(
    "5249464642000000574542505650384c360000002f024000102f40906db341dcebfe32d32093b6c95fff76666d64d236ad87fdf3afb2031868"
    "e4"
    "91acfb06040294b1e2816d22fa1fe305");
const std::vector<uint8_t> kPixels = {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 200, 100, 50, 255, 255, 255};

Result<std::vector<uint8_t>> decode(const std::string& file, int64_t channels = 3) {
  PLIM_ASSIGN(const PictureHeader header, picture_header(MemorySource(file)));
  const PlaneSize size = decoded_size(header, {1, 1});
  std::vector<uint8_t> pixels(size_t(size.height * size.width * channels));
  PLIM_TRY(decode_picture(file, header, size, channels, pixels));
  return pixels;
}

std::string failure(const std::string& file) {
  const auto decoded = decode(file);
  return decoded.ok() ? "" : decoded.error().line();
}

TEST(BmpTest, EveryPixelFromBelowAndFromAbove) {
  const auto below = decode(kBmp);
  ASSERT_TRUE(below.ok()) << below.error().line();
  EXPECT_EQ(*below, kPixels);
  std::string turned = kBmp;
  turned.replace(22, 4, "\xfe\xff\xff\xff");  // height -2: the first row is stored first
  const auto above = decode(turned);
  ASSERT_TRUE(above.ok()) << above.error().line();
  EXPECT_TRUE(std::equal(kPixels.begin() + 9, kPixels.end(), above->begin()));
}

TEST(BmpTest, Gray) {
  const auto gray = decode(kBmp, 1);
  ASSERT_TRUE(gray.ok());
  EXPECT_EQ(*gray, (std::vector<uint8_t>{76, 150, 29, 18, 124, 255}));
}

TEST(BmpTest, APaletteOfEightBits) {
  std::string palette = kBmp.substr(0, 28) + std::string("\x08\0", 2) + kBmp.substr(30, 16);
  palette += std::string("\x02\0\0\0", 4) + std::string(4, '\0');  // two colours
  palette.replace(10, 1, "\x3e");                                  // the pixels come after them
  palette += std::string("\x1e\x14\x0a\0\x32\x64\xc8\0", 8);
  palette += std::string("\x00\x01\x00\0\x01\x00\x01\0", 8);
  const auto decoded = decode(palette);
  ASSERT_TRUE(decoded.ok()) << decoded.error().line();
  EXPECT_EQ(*decoded,
            (std::vector<uint8_t>{200, 100, 50, 10, 20, 30, 200, 100, 50, 10, 20, 30, 200, 100, 50, 10, 20, 30}));
  palette[palette.size() - 8] = 2;
  EXPECT_EQ(failure(palette), "is a damaged BMP: a pixel has no colour");
}

TEST(BmpTest, DamageIsRefused) {
  for (size_t length = 2; length < kBmp.size() - 3; ++length) EXPECT_NE(failure(kBmp.substr(0, length)), "") << length;
  const auto with = [](size_t at, const std::string& bytes) {
    std::string file = kBmp;
    return file.replace(at, bytes.size(), bytes);
  };
  EXPECT_EQ(failure(with(28, "\x10")), "is a BMP of 16 bits a pixel, expected 8, 24 or 32 (save it as PNG)");
  EXPECT_EQ(failure(with(30, "\x01")), "is a BMP with compression, expected one without (save it as PNG)");
  EXPECT_NE(failure(with(18, "\xff\xff\xff\x7f")).find("states 2147483647x2 pixels"), std::string::npos);
  EXPECT_NE(failure(with(18, "\xff\xff\xff\xff")), "");
  EXPECT_NE(failure(with(10, "\xff\xff\xff\xff")), "");
}

TEST(WebpTest, EveryPixelOrARefusalByName) {
  const auto decoded = decode(kWebp);
  if (!decoded.ok()) {  // a build without libwebp
    EXPECT_EQ(decoded.error().what, "is a WebP picture, which this build does not read");
    return;
  }
  EXPECT_EQ(*decoded, kPixels);
  const auto clear = decode(kHalfClearWebp);
  ASSERT_TRUE(clear.ok()) << clear.error().line();
  for (size_t i = 0; i < kPixels.size(); ++i) EXPECT_NEAR((*clear)[i], kPixels[i] * 128 / 255.0, 1) << i;
  for (size_t length = 12; length < kWebp.size() - 8; ++length)
    EXPECT_NE(failure(kWebp.substr(0, length)), "") << length;
}

}  // namespace
}  // namespace plimsoll
