#include "base/base64.h"

#include <cstdint>

namespace plimsoll {

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j) three = three << 8 | (i + j < bytes.size() ? uint8_t(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : kDigits[three >> (18 - 6 * j) & 63];
  }
  return text;
}

}  // namespace plimsoll
