// The pictures' door under arbitrary bytes: a JPEG or PNG file, its header read, then decoded at full size in colour
// and towards a small target in gray. Sizes past a few thousand pixels are left to the header's check.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "run/data/picture.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto header = picture_header(MemorySource(bytes));
  if (!header.ok()) {
    PLIM_CHECK(header.error().line().find('\n') == std::string::npos, "a message of more than one line");
    return 0;
  }
  for (const int64_t channels : {3, 1}) {
    const PlaneSize decoded = decoded_size(*header, channels == 3 ? header->size : PlaneSize{4, 4});
    if (decoded.height * decoded.width > 20'000) continue;
    std::vector<uint8_t> pixels(size_t(decoded.height * decoded.width * channels));
    const auto status = decode_picture(bytes, *header, decoded, channels, pixels);
    if (!status.ok())
      PLIM_CHECK(status.error().line().find('\n') == std::string::npos, "a message of more than one line");
  }
  return 0;
}
