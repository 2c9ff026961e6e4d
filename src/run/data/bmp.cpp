#include "run/data/bmp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace plimsoll {
namespace {

constexpr size_t kHeaderBytes = 54;  // of the file and the least of the picture
constexpr int64_t kPaletteEntry = 4;

using Header = std::array<unsigned char, kHeaderBytes>;

int64_t little_endian(const unsigned char* bytes, int count) {
  int64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

struct Layout {
  PlaneSize size;
  bool from_the_top = false;  // else the last row is stored first
  int64_t bits = 24, pixels_at = 0, palette_at = 0, palette = 0;

  int64_t row_bytes() const { return (size.width * bits + 31) / 32 * 4; }
};

Result<Layout> layout_of(const Header& header) {
  const int64_t info = little_endian(&header[14], 4);
  if (info < 40 || info > 1000) return user_error("is a BMP of an unsupported kind, or damaged");
  Layout layout;
  const auto height = int64_t(int32_t(little_endian(&header[22], 4)));
  layout.size = {std::abs(height), int64_t(int32_t(little_endian(&header[18], 4)))};
  layout.from_the_top = height < 0;
  layout.bits = little_endian(&header[28], 2);
  layout.pixels_at = little_endian(&header[10], 4);
  layout.palette_at = 14 + info;
  const int64_t compression = little_endian(&header[30], 4), colours = little_endian(&header[46], 4);
  constexpr int64_t kPlain = 0, kMasks = 3;
  if (compression != kPlain && !(compression == kMasks && layout.bits == 32))
    return user_error("is a BMP with compression, expected one without", "save it as PNG");
  if (layout.bits != 8 && layout.bits != 24 && layout.bits != 32)
    return user_error(fmt::format("is a BMP of {} bits a pixel, expected 8, 24 or 32", layout.bits), "save it as PNG");
  if (layout.bits == 8) layout.palette = colours == 0 ? 256 : std::min<int64_t>(colours, 256);
  return layout;
}

Result<Header> header_of(const ByteSource& file) {
  Header header{};
  if (file.size() < int64_t(header.size()))
    return user_error(fmt::format("ends after {} bytes, within its header", file.size()));
  PLIM_TRY(file.read(0, {reinterpret_cast<char*>(header.data()), header.size()}));
  return header;
}

uint8_t gray_of(int red, int green, int blue) { return uint8_t((299 * red + 587 * green + 114 * blue + 500) / 1000); }

void put_pixel(const unsigned char* blue_first, int64_t channels, uint8_t* pixel) {
  if (channels == 1) {
    *pixel = gray_of(blue_first[2], blue_first[1], blue_first[0]);
    return;
  }
  for (int i = 0; i < 3; ++i) pixel[i] = blue_first[2 - i];
}

}  // namespace

bool is_bmp(std::span<const unsigned char> first_bytes) {
  return first_bytes.size() >= 2 && first_bytes[0] == 'B' && first_bytes[1] == 'M';
}

Result<PictureHeader> bmp_header(const ByteSource& file) {
  PLIM_ASSIGN(const Header header, header_of(file));
  PLIM_ASSIGN(const Layout layout, layout_of(header));
  return PictureHeader{PictureKind::bmp, layout.size, 3};
}

Status decode_bmp(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels) {
  const MemorySource source({file.data(), file.size()});
  PLIM_ASSIGN(const Header header, header_of(source));
  PLIM_ASSIGN(const Layout layout, layout_of(header));
  const auto length = int64_t(file.size());
  if (layout.size.width != size.width || layout.size.height != size.height)
    return user_error("is a damaged BMP: its sizes disagree");
  if (layout.pixels_at < int64_t(kHeaderBytes) || layout.palette_at + layout.palette * kPaletteEntry > length ||
      layout.pixels_at + layout.row_bytes() * size.height > length)
    return user_error("is a damaged BMP: it ends before its picture does");
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  for (int64_t row = 0; row < size.height; ++row) {
    const int64_t stored = layout.from_the_top ? row : size.height - 1 - row;
    const unsigned char* from = bytes + layout.pixels_at + stored * layout.row_bytes();
    uint8_t* to = pixels.data() + row * size.width * channels;
    for (int64_t x = 0; x < size.width; ++x, to += channels) {
      if (layout.bits != 8) {
        put_pixel(from + x * (layout.bits / 8), channels, to);
        continue;
      }
      if (from[x] >= layout.palette) return user_error("is a damaged BMP: a pixel has no colour");
      put_pixel(bytes + layout.palette_at + from[x] * kPaletteEntry, channels, to);
    }
  }
  return {};
}

}  // namespace plimsoll
