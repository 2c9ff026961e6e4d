// JPEG, PNG, BMP and WebP files as planes of numbers. What a file is, is told by its first bytes, not by its name; its
// size is known and checked before anything is decoded.
//
// JPEG: gray and RGB, baseline and progressive; CMYK is refused. PNG: all kinds (palette and 16 bits become 8 bits a
// channel, transparency is laid on black, of an animation the first picture counts). BMP and WebP: bmp.h, webp.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/byte_source.h"
#include "run/data/resize.h"

namespace plimsoll {

enum class PictureKind { jpeg, png, bmp, webp };

struct PictureHeader {
  PictureKind kind = PictureKind::jpeg;
  PlaneSize size;
  int64_t channels = 3;  // as stored: 1 or 3 in a JPEG; those of others are not looked at (3)
};

inline constexpr int64_t kMostPictureFile = int64_t{1} << 28;

// Reads a few bytes only. An error says what is wrong, without the file's name.
Result<PictureHeader> picture_header(const ByteSource& file);

// The size in which a picture is decoded on its way to `target`: a large JPEG is decoded at a fraction of its size, no
// smaller than the target.
PlaneSize decoded_size(const PictureHeader& header, PlaneSize target);

// The whole file's bytes → pixels of `size` (from decoded_size), `channels` (1 or 3) side by side.
Status decode_picture(std::span<const char> file, const PictureHeader& header, PlaneSize size, int64_t channels,
                      std::span<uint8_t> pixels);

// Rows of `channels` (1 or 3) bytes a pixel as a PNG file's bytes.
Result<std::string> encode_png(std::span<const uint8_t> pixels, PlaneSize size, int64_t channels);

}  // namespace plimsoll
