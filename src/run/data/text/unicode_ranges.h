// Which characters are letters and which are numbers, as Unicode has them (its categories L and N).
#pragma once

#include <span>

namespace plimsoll {

struct CharacterRange {
  char32_t first, last;  // both included
};

// In order, without gaps of no width between them.
std::span<const CharacterRange> letter_ranges();
std::span<const CharacterRange> number_ranges();

}  // namespace plimsoll
