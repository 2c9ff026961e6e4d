#include "run/data/text/byte_letters.h"

#include <array>
#include <unordered_map>

#include "run/data/text/characters.h"

namespace plimsoll {
namespace {

struct LetterTable {
  std::array<std::string, 256> letters;
  std::unordered_map<char32_t, char> bytes;
};

// All of them are below U+0800.
std::string written(char32_t code) {
  if (code < 0x80) return {char(code)};
  return {char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))};
}

const LetterTable& letter_table() {
  static const LetterTable kTable = [] {
    LetterTable table;
    char32_t other = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      const char32_t code = printable ? char32_t(byte) : other++;
      table.letters[byte] = written(code);
      table.bytes[code] = char(byte);
    }
    return table;
  }();
  return kTable;
}

}  // namespace

std::string letters_of_bytes(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) letters += letter_table().letters[static_cast<unsigned char>(byte)];
  return letters;
}

std::optional<std::string> bytes_of_letters(std::string_view letters) {
  std::string bytes;
  for (size_t at = 0; at < letters.size();) {
    const Character letter = character_at(letters, at);
    const auto found = letter_table().bytes.find(letter.code);
    if (found == letter_table().bytes.end()) return std::nullopt;
    bytes += found->second;
    at += letter.bytes;
  }
  return bytes;
}

}  // namespace plimsoll
