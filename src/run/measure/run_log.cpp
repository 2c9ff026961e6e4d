#include "run/measure/run_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/rows/json.h"
#include "base/strict_json.h"
#include "base/text.h"

namespace plimsoll {
namespace {

Result<std::string> read_all(const std::string& path) {
  PLIM_ASSIGN(const auto source, open_regular_file(path, ".jsonl"));
  std::string text(size_t(source->size()), '\0');
  PLIM_TRY(source->read(0, text));
  return text;
}

// Where the last whole line ends.
Result<int64_t> whole_lines(const std::string& path) {
  PLIM_ASSIGN(const auto source, open_regular_file(path, ".jsonl"));
  for (int64_t end = source->size(); end > 0; --end) {
    char last = 0;
    PLIM_TRY(source->read(end - 1, std::span(&last, 1)));
    if (last == '\n') return end;
  }
  return int64_t{0};
}

int64_t step_of(const Json& line) {
  const auto step = line.find("step");
  return step != line.end() && step->is_number_integer() ? step->get<int64_t>() : 0;
}

}  // namespace

Result<RunLog> RunLog::open(const std::string& path) {
  PLIM_ASSIGN(AppendFile file, AppendFile::open(path));
  PLIM_ASSIGN(const int64_t end, whole_lines(path));
  if (truncate(path.c_str(), end) != 0)
    return environment_error("an unfinished line cannot be cut off").in(printable(path, 200));
  return RunLog(std::move(file));
}

Status RunLog::add(const Json& line) {
  return file_.append(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::vector<Json>> parse_run_log(std::string_view text, const std::string& name) {
  std::vector<Json> lines;
  int64_t number = 0;
  for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    ++number;
    auto line = parse_strict_json(text.substr(begin, end - begin));
    if (!line.ok()) return std::move(line).error().in(fmt::format("{}: line {}", printable(name, 200), number));
    if (!line->is_object())
      return user_error("is not an object").in(fmt::format("{}: line {}", printable(name, 200), number));
    const Json event = line->value("event", Json());
    if (event == "resume" || event == "start")
      std::erase_if(lines, [&](const Json& before) { return step_of(before) > step_of(*line); });
    lines.push_back(*std::move(line));
  }
  return lines;
}

Result<std::vector<Json>> read_run_log(const std::string& path) {
  auto text = read_all(path);
  if (!text.ok()) return std::move(text).error().in(printable(path, 200));
  return parse_run_log(*text, path);
}

}  // namespace plimsoll
