// The letters that byte-level tokenizers write for bytes (GPT-2's table): a printable byte is itself, the others are
// the letters from U+0100 on, so that every token is readable text without spaces.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

std::string letters_of_bytes(std::string_view bytes);

// nullopt: a character stands for no byte.
std::optional<std::string> bytes_of_letters(std::string_view letters);

}  // namespace plimsoll
