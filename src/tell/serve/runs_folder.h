// RunsFolder: the trainings that are kept in one folder, running and past. It only reads; a training is asked to stop
// by a signal, after which it saves.
//
// Runs are known by numbers, the inodes of their folders: no name from outside ever becomes a path. Nothing is followed
// out of the folder.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/rows/json.h"

namespace plimsoll {

struct RunEntry {
  std::string id, name;
  int pid = 0;  // 0: not running
  int64_t log_bytes = 0;
  int64_t begun = 0;  // seconds since 1970
};

// How far a run has come, by the last lines of its log. Strangers may have written it: what is odd is left out.
struct RunProgress {
  std::optional<std::string> ended;  // how: finished, interrupted, …; absent while it runs, or when it was killed
  std::optional<double> accuracy;    // of the test, else of the last validation
  std::optional<int64_t> step;
};

class RunsFolder {
 public:
  explicit RunsFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  // The newest first; empty while there is no such folder.
  std::vector<RunEntry> list() const;

  // Its configuration, {} when it has none that can be read.
  Json config(const RunEntry& run) const;

  // The whole lines of its log from `offset` on, which is moved after them; at most some megabytes at a time.
  std::vector<Json> log_from(const RunEntry& run, int64_t& offset) const;

  RunProgress progress(const RunEntry& run) const;

  // report.html, which a training writes when it ends.
  Result<std::string> report(const std::string& id) const;

  // SIGINT to the training's process: it finishes its step, saves and ends.
  Status stop(const std::string& id) const;

 private:
  FileHandle open_file(const RunEntry& run, std::string_view name) const;

  RunProgress read_progress(const RunEntry& run) const;

  std::string path_;
  // By run, with the size of the log that it was read from: a list of many runs is asked for several times a second.
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::pair<int64_t, RunProgress>> known_;
};

}  // namespace plimsoll
