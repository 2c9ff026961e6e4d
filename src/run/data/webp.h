// WebP pictures, through libwebp where the build has it. Transparency is laid on black; animations are refused.
#pragma once

#include "run/data/picture.h"

namespace plimsoll {

bool is_webp(std::span<const unsigned char> first_bytes);  // twelve of them
Result<PictureHeader> webp_header(const ByteSource& file);
Status decode_webp(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels);

}  // namespace plimsoll
