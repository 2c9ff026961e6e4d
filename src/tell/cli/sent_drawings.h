// Drawings of a terminal's last line that are on their way from a worker, whose standard error is a pipe, to the
// process that started it and stands on the terminal: each between two carriage returns, among other text.
#pragma once

#include <string>

#include "tell/cli/terminal_line.h"

namespace plimsoll {

// An empty text clears the line.
std::string sent_drawing(const std::string& text);

// At the other end.
class SentDrawings {
 public:
  void show(const std::string& text);   // as it comes, in any pieces
  void print(const std::string& text);  // of one's own, after which the next drawing follows
  void clear() { line_.clear(); }

 private:
  TerminalLine line_;
  std::string drawing_;
  bool inside_ = false;
};

}  // namespace plimsoll
