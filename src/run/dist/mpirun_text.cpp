#include "run/dist/mpirun_text.h"

#include <regex>

namespace plimsoll {

namespace {

// A line that is drawn over and over ends with a carriage return; what mpirun says may follow it.
bool ends_line(char c) { return c == '\n' || c == '\r'; }

}  // namespace

// mpirun frames what it says with lines of dashes.
bool MpirunText::is_rule(const std::string& line) const {
  return line.size() > 20 && line.find_first_not_of('-') == std::string::npos;
}

// "[node7:1234] …" and "[node7][[…]]…" are words of MPI's own.
bool MpirunText::may_be_kept() const { return line_.empty() || line_[0] == '-' || line_[0] == '['; }

std::string MpirunText::pass(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (open_) {
      out += c;
      open_ = !ends_line(c);
      continue;
    }
    line_ += c;
    if (line_ == "\r") {
      out += c;
      line_.clear();
      continue;
    }
    if (c != '\n') {
      if (inside_ || may_be_kept()) continue;
      out += line_;
      line_.clear();
      open_ = true;
      continue;
    }
    const std::string line = line_.substr(0, line_.size() - 1);
    if (is_rule(line)) inside_ = !inside_;
    else if (inside_ || (line.starts_with('[') && line.find(']') != std::string::npos)) kept_ += line_;
    else out += line_;
    line_.clear();
  }
  return out;
}

std::optional<MpirunText::EndedBySignal> MpirunText::ended_by_signal() const {
  static const std::regex words(R"(rank (\d+) with PID \d+ on node (\S+)\s+exited on\s+signal (\d+))");
  std::smatch found;
  if (!std::regex_search(kept_, found, words)) return std::nullopt;
  return EndedBySignal{std::stoi(found[1]), std::stoi(found[3]), found[2]};
}

}  // namespace plimsoll
