#include "tell/cli/sent_drawings.h"

#include <fmt/format.h>

#include <utility>

#include "tell/cli/print_aside.h"

namespace plimsoll {

std::string sent_drawing(const std::string& text) { return "\r" + text + "\r"; }

void SentDrawings::print(const std::string& text) {
  line_.clear();
  print_aside("{}", text);
  std::fflush(stderr);
}

void SentDrawings::show(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c != '\r') {
      (inside_ ? drawing_ : plain) += c;
      if (inside_ && c == '\n') {  // whoever drew it has ended in the middle
        plain += std::exchange(drawing_, "");
        inside_ = false;
      }
      continue;
    }
    inside_ = !inside_;
    if (inside_) continue;
    if (!plain.empty()) print(plain);
    plain.clear();
    if (drawing_.empty()) line_.clear();
    else line_.draw(drawing_);
    drawing_.clear();
  }
  if (!plain.empty()) print(plain);
}

}  // namespace plimsoll
