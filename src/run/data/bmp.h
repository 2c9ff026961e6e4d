// BMP pictures without compression: 8 bits with a palette, 24 and 32 bits a pixel.
#pragma once

#include "run/data/picture.h"

namespace plimsoll {

bool is_bmp(std::span<const unsigned char> first_bytes);
Result<PictureHeader> bmp_header(const ByteSource& file);
Status decode_bmp(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels);

}  // namespace plimsoll
