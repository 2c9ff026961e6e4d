// Bytes as text, as a data: address in HTML and SVG holds them (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

std::string base64(std::string_view bytes);

}  // namespace plimsoll
