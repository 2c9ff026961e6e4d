#include "run/data/webp.h"

#include <cstring>

#ifdef PLIM_WEBP
#include <webp/decode.h>

#include <vector>
#endif

namespace plimsoll {

bool is_webp(std::span<const unsigned char> first_bytes) {
  return first_bytes.size() >= 12 && std::memcmp(first_bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(&first_bytes[8], "WEBP", 4) == 0;
}

#ifdef PLIM_WEBP

namespace {

Result<WebPBitstreamFeatures> features_of(std::span<const uint8_t> bytes) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    return user_error("is a damaged WebP: its header cannot be read");
  if (features.has_animation) return user_error("is an animated WebP, expected a single picture", "save it as PNG");
  return features;
}

}  // namespace

Result<PictureHeader> webp_header(const ByteSource& file) {
  constexpr int64_t kEnough = 4096;  // the header is in the first tens of bytes
  std::vector<uint8_t> first(size_t(std::min(kEnough, file.size())));
  PLIM_TRY(file.read(0, {reinterpret_cast<char*>(first.data()), first.size()}));
  PLIM_ASSIGN(const WebPBitstreamFeatures features, features_of(first));
  return PictureHeader{PictureKind::webp, {features.height, features.width}, 3};
}

Status decode_webp(std::span<const char> file, PlaneSize size, int64_t channels, std::span<uint8_t> pixels) {
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(file.data()), file.size());
  PLIM_ASSIGN(const WebPBitstreamFeatures features, features_of(bytes));
  if (features.width != size.width || features.height != size.height)
    return user_error("is a damaged WebP: its sizes disagree");
  constexpr int64_t kColours = 4;
  std::vector<uint8_t> picture(size_t(size.width * size.height * kColours));
  if (!WebPDecodeRGBAInto(bytes.data(), bytes.size(), picture.data(), picture.size(), int(size.width * kColours)))
    return user_error("is a damaged WebP: it cannot be decoded");
  for (int64_t i = 0; i < size.width * size.height; ++i) {
    const uint8_t* from = &picture[size_t(i * kColours)];
    uint8_t* to = &pixels[size_t(i * channels)];
    const auto on_black = [&](int colour) { return uint8_t((from[colour] * from[3] + 127) / 255); };
    if (channels == 1) *to = uint8_t((299 * on_black(0) + 587 * on_black(1) + 114 * on_black(2) + 500) / 1000);
    else
      for (int colour = 0; colour < 3; ++colour) to[colour] = on_black(colour);
  }
  return {};
}

#else

namespace {

Error unread() {
  return user_error("is a WebP picture, which this build does not read",
                    "save it as PNG or JPEG, or build with libwebp-dev");
}

}  // namespace

Result<PictureHeader> webp_header(const ByteSource&) { return unread(); }

Status decode_webp(std::span<const char>, PlaneSize, int64_t, std::span<uint8_t>) { return unread(); }

#endif

}  // namespace plimsoll
