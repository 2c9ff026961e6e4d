#include "tell/cli/terminal_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "tell/cli/print_aside.h"

namespace plimsoll {
namespace {

constexpr size_t kUsualWidth = 120;

size_t columns(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string cut(std::string text) {
  winsize size{};
  const size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
  while (columns(text) >= width) {
    while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text;
}

}  // namespace

bool TerminalLine::is_there() { return isatty(STDERR_FILENO) == 1; }

void TerminalLine::draw(const std::string& text) {
  const std::string shown = cut(text);
  const size_t width = columns(shown);
  print_aside("\r{}{}", shown, std::string(drawn_ > width ? drawn_ - width : 0, ' '));
  std::fflush(stderr);
  drawn_ = width;
}

void TerminalLine::clear() {
  if (drawn_ > 0) print_aside("\r{}\r", std::string(drawn_, ' '));
  drawn_ = 0;
}

}  // namespace plimsoll
