#include "tell/serve/http_message.h"

namespace plimsoll {

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [header, value] : headers) {
    if (header != name) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

bool HttpRequest::repeats(std::string_view name) const {
  int count = 0;
  for (const auto& [header, value] : headers) count += header == name;
  return count > 1;
}

std::string_view HttpRequest::argument(std::string_view name) const {
  for (const auto& [key, value] : arguments)
    if (key == name) return value;
  return "";
}

}  // namespace plimsoll
