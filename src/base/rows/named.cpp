#include "base/rows/named.h"

#include "base/rows/row.h"

namespace plimsoll {

std::string spoken(std::string_view sentence, Door door) {
  std::string line;
  for (const auto& [text, is_field] : pieces_of(sentence))
    line += is_field && door == Door::command_line ? flag_named(text) : std::string(text);
  return line;
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
    text = spoken(text, door);
  } else if (document.is_structured()) {
    for (auto& each : document) each = spoken_document(std::move(each), door);
  }
  return document;
}

}  // namespace plimsoll
