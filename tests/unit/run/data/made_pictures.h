// JPEG and PNG files for tests: plain ones by the libraries, odd ones by hand.
#pragma once

#include <gtest/gtest.h>
#include <turbojpeg.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace plimsoll {

inline std::string big_endian_bytes(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

// One colour all over; `format` is TJPF_RGB, TJPF_GRAY or TJPF_CMYK.
inline std::string made_jpeg(int width, int height, std::vector<unsigned char> pixel, int format = TJPF_RGB,
                             int flags = 0) {
  std::vector<unsigned char> pixels;
  for (int i = 0; i < width * height; ++i) pixels.insert(pixels.end(), pixel.begin(), pixel.end());
  void* handle = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(handle, pixels.data(), width, 0, height, format, &bytes, &size,
                        format == TJPF_GRAY ? TJSAMP_GRAY : TJSAMP_444, 95, flags),
            0);
  std::string jpeg(reinterpret_cast<char*>(bytes), size);
  tjFree(bytes);
  tjDestroy(handle);
  return jpeg;
}

inline std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(uLong(bytes.size()));
  std::string out(size, '\0');
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                      uLong(bytes.size()), 9),
            Z_OK);
  out.resize(size);
  return out;
}

inline std::string png_chunk(const std::string& name, const std::string& body) {
  const std::string both = name + body;
  return big_endian_bytes(uint32_t(body.size())) + both +
         big_endian_bytes(uint32_t(crc32(0, reinterpret_cast<const Bytef*>(both.data()), uInt(both.size()))));
}

struct PngKind {
  int depth = 8, colour = 2;  // 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha
  std::string before_data;    // chunks such as PLTE and tRNS
};

// `rows` are the numbers of all rows, each with a filter byte of 0 before it.
inline std::string made_png(uint32_t width, uint32_t height, const std::string& rows, const PngKind& kind = {}) {
  const std::string header =
      big_endian_bytes(width) + big_endian_bytes(height) + std::string{char(kind.depth), char(kind.colour), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + kind.before_data + png_chunk("IDAT", deflated(rows)) +
         png_chunk("IEND", "");
}

// One colour all over.
inline std::string flat_png(uint32_t width, uint32_t height, const std::string& pixel, const PngKind& kind = {}) {
  std::string rows;
  for (uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (uint32_t x = 0; x < width; ++x) rows += pixel;
  }
  return made_png(width, height, rows, kind);
}

}  // namespace plimsoll
