#include "tell/serve/run_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/text.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

constexpr auto kLook = std::chrono::milliseconds(250);
constexpr int64_t kQuietLooks = 20;  // then a sign of life, which also finds out whether anybody listens
constexpr size_t kMostSteps = 2000;  // at once; a chart has no more columns
constexpr size_t kMostFollowed = 6;

std::string line_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string event(std::string_view name, const Json& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, line_of(data));
}

bool is_frequent(const Json& line) {
  const auto kind = line.find("event");
  return kind != line.end() && (*kind == "step" || *kind == "utilisation");
}

// A long log is thinned where it has more than anybody can see; epochs, tests and ends all stay.
Json thinned(const std::vector<Json>& lines) {
  const auto frequent = size_t(std::count_if(lines.begin(), lines.end(), is_frequent));
  const size_t every = std::max<size_t>(1, frequent / kMostSteps);
  Json kept = Json::array();
  size_t count = 0;
  for (const auto& line : lines)
    if (!is_frequent(line) || count++ % every == 0) kept.push_back(line);
  return kept;
}

}  // namespace

Json runs_json(const RunsFolder& folder, PageTrainings& trainings) {
  RunList list{printable(folder.path(), 200), {}, trainings.sets(), trainings.state()};
  for (const auto& run : folder.list())
    list.runs.push_back(
        {run.id, printable(run.name, 200), run.pid != 0, folder.config(run), run.begun, folder.progress(run)});
  return document_json("plimsoll.runs/1", list);
}

RunFeed::RunFeed(const RunsFolder& folder, PageTrainings& trainings, const std::string& runs,
                 const std::atomic<bool>& ending)
    : folder_(folder), trainings_(trainings), ending_(ending) {
  for (size_t begin = 0; begin < runs.size() && followed_.size() < kMostFollowed;) {
    const size_t end = std::min(runs.find(',', begin), runs.size());
    if (end > begin) followed_.push_back({runs.substr(begin, end - begin), 0});
    begin = end + 1;
  }
}

std::string RunFeed::log_news(const std::vector<RunEntry>& runs, Followed& followed) const {
  const auto run =
      std::find_if(runs.begin(), runs.end(), [&](const RunEntry& entry) { return entry.id == followed.id; });
  if (run == runs.end()) return "";
  if (run->log_bytes < followed.offset) followed.offset = 0;
  if (run->log_bytes == followed.offset) return "";
  const std::vector<Json> lines = folder_.log_from(*run, followed.offset);
  if (lines.empty()) return "";
  return event("log", {{"run", followed.id}, {"lines", thinned(lines)}});
}

std::string RunFeed::news() {
  std::string text;
  const std::string list = event("runs", runs_json(folder_, trainings_));
  if (list != last_list_) text = last_list_ = list;
  if (followed_.empty()) return text;
  const auto runs = folder_.list();
  for (auto& followed : followed_) text += log_news(runs, followed);
  return text;
}

std::string RunFeed::next() {
  for (;; std::this_thread::sleep_for(kLook)) {
    if (ending_) return "";
    std::string text = news();
    if (!text.empty()) {
      quiet_ = 0;
      return text;
    }
    if (++quiet_ < kQuietLooks) continue;
    quiet_ = 0;
    return ": nothing new\n\n";
  }
}

}  // namespace plimsoll
