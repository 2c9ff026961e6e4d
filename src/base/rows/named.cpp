#include "base/rows/named.h"

#include "base/rows/row.h"
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

// The sentence with `text(…)` of what is between the marks and `mark(field)` in place of each.
template <class Text, class Mark>
std::string rewritten(std::string_view sentence, const Text& text, const Mark& mark) {
  std::string out;
  size_t from = 0;
  for (size_t at = sentence.find(kMark); at != std::string_view::npos; at = sentence.find(kMark, at + 1)) {
    const std::string_view field = field_at(sentence, at);
    if (field.empty()) continue;
    out += text(sentence.substr(from, at - from));
    out += mark(field);
    at += field.size() + 1;
    from = at + 1;
  }
  return out + std::string(text(sentence.substr(from)));
}

}  // namespace

std::string named(std::string_view field) { return kMark + std::string(field) + kMark; }

std::string printable_but_for_marks(std::string_view sentence) {
  return rewritten(
      sentence, [](std::string_view text) { return printable(text); }, named);
}

std::string spoken(std::string_view sentence, Door door) {
  return rewritten(
      sentence, [](std::string_view text) { return text; },
      [&](std::string_view field) { return door == Door::command_line ? flag_named(field) : std::string(field); });
}

Error spoken_error(Error error, Door door) {
  error.what = spoken(error.what, door);
  error.where = spoken(error.where, door);
  error.hint = spoken(error.hint, door);
  return error;
}

Json spoken_document(Json document, Door door) {
  if (document.is_string()) {
    auto& text = document.get_ref<std::string&>();
    if (text.find(kMark) != std::string::npos) text = spoken(text, door);
  } else if (document.is_structured()) {
    for (auto& each : document) each = spoken_document(std::move(each), door);
  }
  return document;
}

}  // namespace plimsoll
