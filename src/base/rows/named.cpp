#include "base/rows/named.h"

#include "base/rows/row.h"

namespace plimsoll {
namespace {

constexpr char kMark = '\x1f';  // no text of a user or a file has it: printable() escapes it

}  // namespace

std::string named(std::string_view field) { return kMark + std::string(field) + kMark; }

std::string spoken(std::string_view sentence, Door door) {
  std::string text;
  while (true) {
    const size_t begin = sentence.find(kMark);
    const size_t end = begin == std::string_view::npos ? begin : sentence.find(kMark, begin + 1);
    if (end == std::string_view::npos) return text + std::string(sentence);
    const std::string_view field = sentence.substr(begin + 1, end - begin - 1);
    text += sentence.substr(0, begin);
    text += door == Door::command_line ? flag_named(field) : std::string(field);
    sentence.remove_prefix(end + 1);
  }
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
