#include "run/data/picture.h"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "run/data/bmp.h"
#include "run/data/dataset.h"
#include "run/data/webp.h"

namespace plimsoll {
namespace {

constexpr std::array<unsigned char, 8> kPngMagic = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr int kMostSegments = 10'000;

template <size_t count>
Result<std::array<unsigned char, count>> bytes_at(const ByteSource& file, int64_t offset) {
  std::array<unsigned char, count> bytes{};
  if (offset + int64_t{count} > file.size())
    return user_error(fmt::format("ends after {} bytes, within its header", with_commas(file.size())));
  PLIM_TRY(file.read(offset, {reinterpret_cast<char*>(bytes.data()), count}));
  return bytes;
}

int64_t big_endian(const unsigned char* bytes, int count) {
  int64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

// SOF0 to SOF15 without DHT, JPG and DAC, which lie among them.
bool is_frame(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Walks from segment to segment until the one that states the size.
Result<PictureHeader> jpeg_header(const ByteSource& file) {
  int64_t at = 2;
  for (int i = 0; i < kMostSegments; ++i) {
    PLIM_ASSIGN(const auto start, bytes_at<4>(file, at));
    if (start[0] != 0xff) return user_error(fmt::format("is a damaged JPEG: no segment at byte {}", at));
    if (start[1] == 0xff) {  // filling
      ++at;
      continue;
    }
    if (!is_frame(start[1])) {
      at += 2 + std::max<int64_t>(2, big_endian(&start[2], 2));
      continue;
    }
    PLIM_ASSIGN(const auto frame, bytes_at<10>(file, at));
    PictureHeader header{PictureKind::jpeg, {big_endian(&frame[5], 2), big_endian(&frame[7], 2)}, frame[9]};
    if (frame[4] != 8) return user_error(fmt::format("is a JPEG of {} bits a channel, expected 8", frame[4]));
    if (header.channels == 4) return user_error("is a CMYK JPEG, expected gray or RGB", "save it as RGB");
    if (header.channels != 1 && header.channels != 3)
      return user_error(fmt::format("is a JPEG of {} channels, expected 1 or 3", header.channels));
    return header;
  }
  return user_error(fmt::format("is a JPEG with more than {} segments before its picture", kMostSegments));
}

Result<PictureHeader> png_header(const ByteSource& file) {
  PLIM_ASSIGN(const auto bytes, bytes_at<29>(file, 0));
  if (std::memcmp(&bytes[12], "IHDR", 4) != 0) return user_error("is a damaged PNG: it does not begin with IHDR");
  return PictureHeader{PictureKind::png, {big_endian(&bytes[20], 4), big_endian(&bytes[16], 4)}, 3};
}

Status decode_jpeg(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels) {
  const std::unique_ptr<void, int (*)(void*)> handle(tjInitDecompress(), tjDestroy);
  if (!handle) return environment_error("libjpeg-turbo could not be started");
  const int code =
      tjDecompress2(handle.get(), reinterpret_cast<const unsigned char*>(file.data()), file.size(), pixels.data(),
                    int(size.width), 0, int(size.height), channels == 1 ? TJPF_GRAY : TJPF_RGB, TJFLAG_LIMITSCANS);
  if (code == 0) return {};
  const std::string why = tjGetErrorStr2(handle.get());
  // Files of many cameras have a few bytes too many; only missing and wrong ones spoil a picture.
  const bool harmless =
      tjGetErrorCode(handle.get()) == TJERR_WARNING && why.find("extraneous bytes") != std::string::npos;
  if (harmless) return {};
  return user_error(fmt::format("is a damaged JPEG: {}", printable(why, 200)));
}

Status decode_png(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> freed(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
    return user_error(fmt::format("is a damaged PNG: {}", printable(image.message, 200)));
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16 bits are not taken for linear light, as nobody else does
  if (int64_t{image.width} != size.width || int64_t{image.height} != size.height)
    return user_error("is a damaged PNG: its sizes disagree");
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&image, &black, pixels.data(), 0, nullptr) == 0)
    return user_error(fmt::format("is a damaged PNG: {}", printable(image.message, 200)));
  return {};
}

Result<PictureHeader> header_by_kind(const ByteSource& file) {
  std::array<unsigned char, 12> first{};
  PLIM_TRY(file.read(0, {reinterpret_cast<char*>(first.data()), size_t(std::min<int64_t>(first.size(), file.size()))}));
  if (first[0] == 0xff && first[1] == 0xd8) return jpeg_header(file);
  if (std::equal(kPngMagic.begin(), kPngMagic.end(), first.begin())) return png_header(file);
  if (is_bmp(first)) return bmp_header(file);
  if (is_webp(first)) return webp_header(file);
  return user_error("is not a JPEG, PNG, WebP or BMP picture");
}

}  // namespace

Result<PictureHeader> picture_header(const ByteSource& file) {
  if (file.size() == 0) return user_error("is empty, expected a JPEG, PNG, WebP or BMP picture");
  if (file.size() > kMostPictureFile)
    return user_error(fmt::format("has {}, expected at most {}", human_bytes(Bytes(file.size())),
                                  human_bytes(Bytes(kMostPictureFile))));
  PLIM_ASSIGN(const PictureHeader header, header_by_kind(file));
  if (header.size.height < 1 || header.size.width < 1 || header.size.height > kMostPixels / header.size.width)
    return user_error(fmt::format("states {}x{} pixels, expected 1 to {} in all", header.size.width, header.size.height,
                                  with_commas(kMostPixels)));
  return header;
}

PlaneSize decoded_size(const PictureHeader& header, PlaneSize target) {
  if (header.kind != PictureKind::jpeg) return header.size;
  for (const int eighths : {1, 2, 3, 4, 5, 6, 7}) {
    const tjscalingfactor factor{eighths, 8};
    const PlaneSize scaled{TJSCALED(header.size.height, factor), TJSCALED(header.size.width, factor)};
    if (scaled.height >= target.height && scaled.width >= target.width) return scaled;
  }
  return header.size;
}

Status decode_picture(std::span<const char> file, const PictureHeader& header, PlaneSize size, int64_t channels,
                      std::span<uint8_t> pixels) {
  PLIM_CHECK(int64_t(pixels.size()) >= size.height * size.width * channels, "too little room for a picture");
  switch (header.kind) {
    case PictureKind::jpeg: return decode_jpeg(file, size, channels, pixels);
    case PictureKind::png: return decode_png(file, size, channels, pixels);
    case PictureKind::bmp: return decode_bmp(file, size, channels, pixels);
    case PictureKind::webp: break;
  }
  return decode_webp(file, size, channels, pixels);
}

Result<std::string> encode_png(std::span<const uint8_t> pixels, PlaneSize size, int64_t channels) {
  PLIM_CHECK(int64_t(pixels.size()) >= size.height * size.width * channels, "too few pixels for a picture");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(size.width);
  image.height = png_uint_32(size.height);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string png(bytes, '\0');
  if (png_image_write_to_memory(&image, png.data(), &bytes, 0, pixels.data(), 0, nullptr) == 0)
    return environment_error(fmt::format("libpng could not write a picture: {}", printable(image.message, 200)));
  png.resize(bytes);
  return png;
}

}  // namespace plimsoll
