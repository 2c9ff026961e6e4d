#include "run/measure/photo.h"

#include <fmt/format.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace plimsoll {
namespace {

constexpr int64_t kLargestPhoto = int64_t{1} << 28;

struct Blob {
  double x, y, radius;
  double colour[3];
};

// Noise on a grid, smooth in between: grain of one size.
class Grain {
 public:
  Grain(int width, int height, double size, std::mt19937_64& random)
      : size_(size), columns_(int(width / size) + 2), values_(size_t(columns_) * size_t(int(height / size) + 2)) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (auto& value : values_) value = any(random);
  }
  double at(int x, int y) const {
    const double fx = x / size_, fy = y / size_;
    const int left = int(fx), top = int(fy);
    const double u = fx - left, v = fy - top;
    const auto value = [&](int dx, int dy) { return values_[size_t(top + dy) * size_t(columns_) + size_t(left + dx)]; };
    return (1 - v) * ((1 - u) * value(0, 0) + u * value(1, 0)) + v * ((1 - u) * value(0, 1) + u * value(1, 1));
  }

 private:
  double size_;
  int columns_;
  std::vector<double> values_;
};

std::vector<Blob> some_blobs(int width, int height, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<Blob> blobs(12);
  for (auto& blob : blobs) {
    blob = {share(random) * width, share(random) * height, (0.05 + 0.2 * share(random)) * width, {}};
    for (double& channel : blob.colour) channel = 40 + 180 * share(random);
  }
  return blobs;
}

// How much of a blob covers the point: 1 inside, falling to 0 over a few pixels.
double cover(const Blob& blob, int x, int y) {
  return std::clamp((blob.radius - std::hypot(x - blob.x, y - blob.y)) / 3 + 0.5, 0.0, 1.0);
}

}  // namespace

Image synthetic_photo(int width, int height, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto blobs = some_blobs(width, height, random);
  const Grain coarse(width, height, 24, random), middle(width, height, 6, random), fine(width, height, 1.5, random);
  Image image{width, height, std::vector<uint8_t>(size_t(width) * size_t(height) * 3)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double down = double(y) / height;
      double colour[3] = {90 + 60 * down, 130 + 10 * down, 200 - 120 * down};
      for (const auto& blob : blobs)
        for (int c = 0; c < 3; ++c) colour[c] += (blob.colour[c] - colour[c]) * cover(blob, x, y);
      // Fur and grass below, a calm sky above.
      const double grain = 30 * coarse.at(x, y) + (0.3 + down) * (18 * middle.at(x, y) + 9 * fine.at(x, y));
      uint8_t* pixel = &image.rgb[(size_t(y) * size_t(width) + size_t(x)) * 3];
      for (int c = 0; c < 3; ++c) pixel[c] = uint8_t(std::clamp(colour[c] + grain, 0.0, 255.0));
    }
  }
  return image;
}

Result<std::string> encode_jpeg(const Image& image, int quality) {
  const std::unique_ptr<void, int (*)(void*)> handle(tjInitCompress(), tjDestroy);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  if (!handle || tjCompress2(handle.get(), image.rgb.data(), image.width, 0, image.height, TJPF_RGB, &bytes, &size,
                             TJSAMP_420, quality, 0) != 0)
    return environment_error("libjpeg-turbo could not encode a picture");
  std::string jpeg(reinterpret_cast<const char*>(bytes), size);
  tjFree(bytes);
  return jpeg;
}

JpegDecoder::JpegDecoder() : handle_(tjInitDecompress()) {}

JpegDecoder::~JpegDecoder() {
  if (handle_) tjDestroy(handle_);
}

Status JpegDecoder::decode(const std::string& jpeg, Image& into) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(jpeg.data());
  int sampling = 0, colours = 0;
  if (!handle_) return environment_error("libjpeg-turbo could not be started");
  if (tjDecompressHeader3(handle_, bytes, jpeg.size(), &into.width, &into.height, &sampling, &colours) != 0)
    return user_error(fmt::format("is not a JPEG: {}", tjGetErrorStr2(handle_)));
  if (int64_t{into.width} * into.height > kLargestPhoto)
    return user_error(fmt::format("has {}x{} pixels, expected a smaller picture", into.width, into.height));
  into.rgb.resize(size_t(into.width) * size_t(into.height) * 3);
  if (tjDecompress2(handle_, bytes, jpeg.size(), into.rgb.data(), into.width, 0, into.height, TJPF_RGB, 0) != 0)
    return user_error(fmt::format("is a damaged JPEG: {}", tjGetErrorStr2(handle_)));
  return {};
}

}  // namespace plimsoll
