#include "base/field_mark.h"

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr char kMark = '\x1f';  // no text of a user or a file has it: printable() escapes it

bool in_field_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// The field of the mark that begins there; empty: what stands there is no mark.
std::string_view field_at(std::string_view sentence, size_t begin) {
  size_t end = begin + 1;
  while (end < sentence.size() && in_field_name(sentence[end])) ++end;
  return end < sentence.size() && sentence[end] == kMark ? sentence.substr(begin + 1, end - begin - 1) : "";
}

}  // namespace

std::string named(std::string_view field) { return kMark + std::string(field) + kMark; }

std::vector<SentencePiece> pieces_of(std::string_view sentence) {
  std::vector<SentencePiece> pieces;
  size_t from = 0;
  for (size_t at = sentence.find(kMark); at != std::string_view::npos; at = sentence.find(kMark, at + 1)) {
    const std::string_view field = field_at(sentence, at);
    if (field.empty()) continue;
    pieces.push_back({sentence.substr(from, at - from), false});
    pieces.push_back({field, true});
    at += field.size() + 1;
    from = at + 1;
  }
  pieces.push_back({sentence.substr(from), false});
  return pieces;
}

std::string printable_but_for_marks(std::string_view sentence) {
  std::string line;
  for (const auto& [text, is_field] : pieces_of(sentence)) line += is_field ? named(text) : printable(text);
  return line;
}

}  // namespace plimsoll
