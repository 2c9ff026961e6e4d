#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/loose_name.h"

namespace plimsoll {
namespace {

// The length of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
size_t sequence_length(std::string_view text, char32_t* code_point) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return 0;
  *code_point = value;
  return length;
}

// Characters that would move the cursor, colour the terminal or reorder the text.
bool is_unsafe(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction = (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
                         c == 0x061C || c == 0xFEFF;
  return control || direction;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::string printable(std::string_view text, size_t longest) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (text.size() <= longest && std::all_of(text.begin(), text.end(), plain)) return std::string(text);  // nearly all
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (out.size() >= longest) return out + "…";
    char32_t c = 0;
    const size_t length = sequence_length(text.substr(i), &c);
    if (length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[i]));
    } else if (is_unsafe(c)) {
      out += c == '\n'   ? "\\n"
             : c < 0x100 ? fmt::format("\\x{:02X}", uint32_t(c))
                         : fmt::format("\\u{{{:04X}}}", uint32_t(c));
    } else {
      out += text.substr(i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string in_quotes(std::string_view name) { return "'" + printable(name, 80) + "'"; }

bool is_utf8(std::string_view text) {
  char32_t ignored = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(text.substr(i), &ignored);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

namespace {

// One name is the beginning of the other: "bert" of "bert-base", "memory" of "memory_bytes".
bool begins(std::string_view whole, std::string_view start) {
  return start.size() >= 2 && whole.starts_with(start) &&
         (whole.size() == start.size() || whole[start.size()] == '-' || whole[start.size()] == '_');
}

// "llama31" of "llama-3.1-8b": the same letters and digits, whatever is between them.
std::string letters_and_digits(std::string_view text) {
  std::string plain = loose_name(text);
  std::erase(plain, '.');
  return plain;
}

}  // namespace

std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> candidates) {
  const std::string small = lower_case(wanted.substr(0, 100));  // the distance is quadratic, the name a stranger's
  const std::string plain = letters_and_digits(small);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const auto& candidate : candidates) {
    const std::string other = lower_case(candidate);
    const bool contains = (small.size() >= 3 && other.find(small) != std::string::npos) ||
                          (plain.size() >= 3 && letters_and_digits(other).starts_with(plain));
    const size_t distance = other == small || begins(other, small) || begins(small, other) ? 0
                            : contains                                                     ? 1
                                       : edit_distance(small, other);
    if (distance <= std::max<size_t>(2, small.size() / 3)) ranked.emplace_back(distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min<size_t>(3, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const auto names = nearest(wanted, candidates);
  if (names.empty()) return {};
  std::string text = "did you mean ";
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + in_quotes(names[i]);
  return text + "?";
}

}  // namespace plimsoll
