// The picture a probe decodes, and what augmenting does to one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "run/measure/augment.h"
#include "run/measure/decode_rate.h"
#include "run/measure/photo.h"

namespace plimsoll {
namespace {

constexpr int kSide = kAugmentedSide;

// A picture of the augmented size whose red grows to the right and whose green grows downwards.
Image ramp() {
  Image image{kSide, kSide, std::vector<uint8_t>(size_t{kSide} * kSide * 3)};
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      image.rgb[(size_t(y) * kSide + size_t(x)) * 3] = uint8_t(x);
      image.rgb[(size_t(y) * kSide + size_t(x)) * 3 + 1] = uint8_t(y);
    }
  return image;
}

// The channel's value at a pixel, back in 0…255.
double at(const std::vector<float>& pixels, int x, int y, int channel) {
  return (double(pixels[(size_t(y) * kSide + size_t(x)) * 3 + size_t(channel)]) * 0.25 + 0.5) * 255;
}

TEST(Photo, IsTheSameFromTheSameSeed) {
  EXPECT_EQ(synthetic_photo(50, 40, 1).rgb, synthetic_photo(50, 40, 1).rgb);
  EXPECT_NE(synthetic_photo(50, 40, 1).rgb, synthetic_photo(50, 40, 2).rgb);
}

TEST(Photo, CostsAboutWhatAPhotographCosts) {
  const auto jpeg = encode_jpeg(synthetic_photo(500, 375, 17), 85);
  ASSERT_TRUE(jpeg.ok());
  const double bits_per_pixel = double(jpeg->size()) * 8 / (500 * 375);
  EXPECT_GT(bits_per_pixel, 0.9);
  EXPECT_LT(bits_per_pixel, 1.8);
}

TEST(Jpeg, DecodesToNearlyWhatWasEncoded) {
  const Image photo = synthetic_photo(201, 99, 3);
  const auto jpeg = encode_jpeg(photo, 95);
  ASSERT_TRUE(jpeg.ok());
  JpegDecoder decoder;
  Image again;
  ASSERT_TRUE(decoder.decode(*jpeg, again).ok());
  ASSERT_EQ(again.width, 201);
  ASSERT_EQ(again.height, 99);
  double difference = 0;
  for (size_t i = 0; i < photo.rgb.size(); ++i) difference += std::abs(int(photo.rgb[i]) - int(again.rgb[i]));
  EXPECT_LT(difference / double(photo.rgb.size()), 6);
}

TEST(Jpeg, AnythingElseIsAnError) {
  JpegDecoder decoder;
  Image image;
  for (const std::string text : {"", "not a picture", "\xFF\xD8\xFF"}) EXPECT_FALSE(decoder.decode(text, image).ok());
}

TEST(Augment, WithoutAnyChangeNormalisesOnly) {
  Augmenter augmenter;
  const auto& pixels = augmenter.augment(ramp(), {});
  for (const int x : {0, 1, 100, 255})
    for (const int y : {0, 77, 255}) {
      EXPECT_NEAR(at(pixels, x, y, 0), x, 0.01);
      EXPECT_NEAR(at(pixels, x, y, 1), y, 0.01);
      EXPECT_NEAR(at(pixels, x, y, 2), 0, 0.01);
    }
}

TEST(Augment, MirrorsLeftAndRight) {
  Augmenter augmenter;
  const auto& pixels = augmenter.augment(ramp(), {.mirror = true});
  EXPECT_NEAR(at(pixels, 0, 10, 0), 255, 0.01);
  EXPECT_NEAR(at(pixels, 200, 10, 0), 55, 0.01);
  EXPECT_NEAR(at(pixels, 200, 10, 1), 10, 0.01);
}

TEST(Augment, TurnsAboutTheCentre) {
  Augmenter augmenter;
  const auto& pixels = augmenter.augment(ramp(), {.turn = std::numbers::pi / 2});
  EXPECT_NEAR(at(pixels, 30, 200, 0), 55, 0.01);  // red comes from where 255 - y was
  EXPECT_NEAR(at(pixels, 30, 200, 1), 30, 0.01);
}

TEST(Augment, ShiftsAndContinuesTheEdge) {
  Augmenter augmenter;
  const auto& pixels = augmenter.augment(ramp(), {.shift_x = 0.25});
  EXPECT_NEAR(at(pixels, 0, 9, 0), 64, 0.01);
  EXPECT_NEAR(at(pixels, 255, 9, 0), 255, 0.01);
  EXPECT_NEAR(at(pixels, 255, 9, 1), 9, 0.01);
}

TEST(Augment, CutsAPieceAndScalesIt) {
  Augmenter augmenter;
  const auto& pixels = augmenter.augment(ramp(), {.left = 0.5, .top = 0.25, .width = 0.5, .height = 0.5});
  EXPECT_NEAR(at(pixels, 0, 0, 0), 127.75, 0.01);
  EXPECT_NEAR(at(pixels, 0, 0, 1), 63.75, 0.01);
  EXPECT_NEAR(at(pixels, 254, 254, 1), 190.75, 0.01);
}

TEST(Augment, WhateverIsDrawnStaysInThePicture) {
  std::mt19937_64 random(5);
  Augmenter augmenter;
  const Image image = ramp();
  for (int i = 0; i < 20; ++i) {
    const Augmentation how = any_augmentation(random);
    EXPECT_GE(how.left, 0);
    EXPECT_LE(how.left + how.width, 1 + 1e-12);
    EXPECT_LE(how.top + how.height, 1 + 1e-12);
    for (const float value : augmenter.augment(image, how)) ASSERT_TRUE(value >= -2.001F && value <= 2.001F) << value;
  }
}

TEST(DecodeRate, IsPositiveForBoth) {
  const auto rate = measure_decoding(2, {3, {0.002}});
  ASSERT_TRUE(rate.ok()) << rate.error().line();
  EXPECT_GT(rate->decoded.per_second, 0);
  EXPECT_GT(rate->augmented.per_second, 0);
  EXPECT_EQ(rate->width, 500);
}

}  // namespace
}  // namespace plimsoll
