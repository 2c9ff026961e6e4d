#include "run/data/text/characters.h"

#include <algorithm>
#include <array>

#include "run/data/text/unicode_ranges.h"

namespace plimsoll {
namespace {

constexpr size_t kAscii = 128;

bool is_in(std::span<const CharacterRange> ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t value, const CharacterRange& range) { return value < range.first; });
  return after != ranges.begin() && code <= (after - 1)->last;
}

// Unicode's White_Space.
bool is_space(char32_t code) {
  return (code >= 0x9 && code <= 0xD) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

CharacterKind look_up(char32_t code) {
  if (is_space(code)) return CharacterKind::space;
  if (is_in(letter_ranges(), code)) return CharacterKind::letter;
  return is_in(number_ranges(), code) ? CharacterKind::number : CharacterKind::other;
}

// Most text is ASCII: its kinds are looked up once.
CharacterKind ascii_kind(size_t code) {
  static const auto kKinds = [] {
    std::array<CharacterKind, kAscii> kinds{};
    for (size_t i = 0; i < kAscii; ++i) kinds[i] = look_up(char32_t(i));
    return kinds;
  }();
  return kKinds[code];
}

// How many bytes a character takes that begins so; 0: none does.
size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

bool is_following(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

Character character_at(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < kAscii) return {first, 1, ascii_kind(first)};
  const size_t length = length_of(first);
  const Character broken{first, 1, CharacterKind::other};
  if (length == 0 || at + length > text.size()) return broken;
  char32_t code = first & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!is_following(text[at + i])) return broken;
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return broken;
  return {code, length, look_up(code)};
}

std::string as_utf8(std::string_view text) {
  std::string whole;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = character_at(text, at).bytes;
    const bool broken = bytes == 1 && static_cast<unsigned char>(text[at]) >= kAscii;
    whole += broken ? std::string_view("\xEF\xBF\xBD") : text.substr(at, bytes);
    at += bytes;
  }
  return whole;
}

size_t unfinished_bytes(std::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const char byte = text[text.size() - back];
    if (is_following(byte)) continue;
    return length_of(static_cast<unsigned char>(byte)) > back ? back : 0;
  }
  return 0;
}

size_t first_not_text(std::string_view text) {
  const size_t end = text.size() - unfinished_bytes(text);
  for (size_t at = 0; at < end;) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first == 0) return at;
    const size_t bytes = character_at(text, at).bytes;
    if (first >= kAscii && bytes == 1) return at;
    at += bytes;
  }
  return std::string_view::npos;
}

}  // namespace plimsoll
