// RunDirectory: where a run keeps its configuration, log, events and checkpoints. It belongs to one process at a time:
// a lock file holds that process's id, and a lock whose process is gone is taken over.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

class RunDirectory {
 public:
  // A new one: `path`, or the first free runs/NAME-1, runs/NAME-2 … when it is empty. A folder that has a run already
  // is refused.
  static Result<RunDirectory> create(const std::string& path, const std::string& name);
  // One that has a run, to go on with. Sweeps up what a killed run left.
  static Result<RunDirectory> reopen(const std::string& path);

  RunDirectory(RunDirectory&&) = default;
  RunDirectory& operator=(RunDirectory&&) = default;
  ~RunDirectory();  // gives the lock back

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  Status write_config(const nlohmann::ordered_json& config) const;

 private:
  RunDirectory(std::string path, FileHandle lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;  // empty once moved from
  FileHandle lock_;
};

inline constexpr std::string_view kConfigFile = "config.json", kLogFile = "log.jsonl", kLockFile = "lock",
                                  kReportFile = "report.html";

// Makes the first of NAME-1, NAME-2 … that is free in the folder `runs`; its path.
Result<std::string> make_run_folder(const std::string& runs, const std::string& name);

// Of a run that is there.
Result<nlohmann::ordered_json> read_config(const std::string& run_directory);

// Room on the disk for an ordinary user; nullopt when the system does not say.
std::optional<Bytes> free_space(const std::string& folder);

}  // namespace plimsoll
