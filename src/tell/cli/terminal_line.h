// TerminalLine: the last line of a terminal (standard error), drawn over and over. What else is to be printed comes
// after clear().
#pragma once

#include <string>

namespace plimsoll {

class TerminalLine {
 public:
  static bool is_there();  // standard error is a terminal

  // Cut to the terminal's width: a line that wraps cannot be drawn over.
  void draw(const std::string& text);
  void clear();

 private:
  size_t drawn_ = 0;  // columns that stand there
};

}  // namespace plimsoll
