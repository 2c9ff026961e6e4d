// RunLog: log.jsonl, one JSON object a line: what happened in a run, in order. It is the truth that reports are made
// from.
//
// A run that goes on after it was stopped may take steps again that were logged before: it first writes a "resume" line
// ("start" when it begins again) with the step it goes on from, and whoever reads forgets the steps beyond that.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "run/measure/append_file.h"

namespace plimsoll {

class RunLog {
 public:
  // Goes on after the last whole line; what a kill left of another is cut off.
  static Result<RunLog> open(const std::string& path);

  Status add(const nlohmann::ordered_json& line);

 private:
  explicit RunLog(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

// All lines, without those that a resume made void. A last line that is not whole is left out.
Result<std::vector<nlohmann::ordered_json>> read_run_log(const std::string& path);
// The same of a file's text; errors say its name.
Result<std::vector<nlohmann::ordered_json>> parse_run_log(std::string_view text, const std::string& name);

}  // namespace plimsoll
