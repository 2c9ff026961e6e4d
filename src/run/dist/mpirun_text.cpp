#include "run/dist/mpirun_text.h"

#include <regex>
#include <string_view>

namespace plimsoll {

namespace {

constexpr std::string_view kItsOwn = "mpirun: ";  // "mpirun: abort is already in progress…", and an empty line after it

// A line that is drawn over and over ends with a carriage return; what mpirun says may follow it.
bool ends_line(char c) { return c == '\n' || c == '\r'; }

}  // namespace

// mpirun frames what it says with lines of dashes.
bool MpirunText::is_rule(const std::string& line) const {
  return line.size() > 20 && line.find_first_not_of('-') == std::string::npos;
}

// "[node7:1234] …" and "[node7][[…]]…" are words of MPI's own.
bool MpirunText::may_be_kept() const {
  return line_.empty() || line_[0] == '-' || line_[0] == '[' || kItsOwn.starts_with(line_) || is_its_own(line_);
}

bool MpirunText::is_its_own(const std::string& line) const {
  return line.starts_with(kItsOwn) || (line.empty() && after_its_own_);
}

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
    const bool its_own = is_its_own(line);
    if (is_rule(line)) inside_ = !inside_;
    else if (inside_ || its_own || (line.starts_with('[') && line.find(']') != std::string::npos)) kept_ += line_;
    else out += line_;
    after_its_own_ = its_own && !line.empty();
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
