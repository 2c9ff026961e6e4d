// A number as IDX files hold it.
#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

inline std::string big_endian(uint32_t number) {
  return {char(number >> 24), char(number >> 16), char(number >> 8), char(number)};
}

}  // namespace plimsoll
