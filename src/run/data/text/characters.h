// Characters of UTF-8 text, and the kinds of them that tokenizers tell apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

enum class CharacterKind : uint8_t { letter, number, space, other };

struct Character {
  char32_t code = 0;
  size_t bytes = 0;  // that it takes; 0: the text is over
  CharacterKind kind = CharacterKind::other;
};

// The one at byte `at`. A byte that begins no character is one by itself, of kind `other`.
Character character_at(std::string_view text, size_t at);

// The byte where the first thing that is no UTF-8 text begins: a broken character or a byte 0; npos: all of it is. An
// unfinished character at the very end counts as none.
size_t first_not_text(std::string_view text);

// How many bytes of an unfinished character the text ends with: 0 to 3.
size_t unfinished_bytes(std::string_view text);

// The text with U+FFFD for every byte that is part of no character.
std::string as_utf8(std::string_view text);

}  // namespace plimsoll
