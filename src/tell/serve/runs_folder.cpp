#include "tell/serve/runs_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/strict_json.h"
#include "base/text.h"
#include "run/train/run_directory.h"

namespace plimsoll {
namespace {

constexpr size_t kMostRuns = 1000;
constexpr int64_t kLargestConfig = 1 << 20, kLogAtOnce = 4 << 20, kEndOfLog = 64 << 10, kLargestReport = 64 << 20;

FileHandle open_folder(int parent, const char* name) {
  return FileHandle(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// A regular file of a folder; nothing that has its name and is something else.
FileHandle open_regular(int folder, std::string_view name) {
  FileHandle file(openat(folder, std::string(name).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  if (file.fd() < 0 || fstat(file.fd(), &found) != 0 || !S_ISREG(found.st_mode)) return FileHandle();
  return file;
}

std::string read_from(int fd, int64_t offset, int64_t most) {
  std::string text(size_t(most), '\0');
  const ssize_t count = pread(fd, text.data(), text.size(), offset);
  text.resize(count > 0 ? size_t(count) : 0);
  return text;
}

// Who holds the lock, as the system says: a process that has ended holds none, whatever the file says.
int holder(int folder) {
  const FileHandle lock = open_regular(folder, kLockFile);
  struct stat found {};
  if (lock.fd() < 0 || fstat(lock.fd(), &found) != 0) return 0;
  const std::string text = read_from(lock.fd(), 0, 32);
  int pid = 0;
  std::from_chars(text.data(), text.data() + text.size(), pid);
  if (pid <= 1) return 0;
  std::ifstream locks("/proc/locks");
  const std::string end = fmt::format(":{} 0 EOF", uint64_t(found.st_ino));
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, owner;
    words >> number >> kind >> advisory >> access >> owner;
    if (kind == "FLOCK" && access == "WRITE" && owner == fmt::format("{}", pid) && line.ends_with(end)) return pid;
  }
  return 0;
}

struct Found {
  RunEntry entry;
  int64_t begun = 0;
};

// nullopt: no run.
std::optional<Found> look_at(int parent, const char* name) {
  const FileHandle folder = open_folder(parent, name);
  struct stat found {};
  if (folder.fd() < 0 || fstat(folder.fd(), &found) != 0) return std::nullopt;
  const FileHandle config = open_regular(folder.fd(), kConfigFile);
  struct stat of_config {};
  if (config.fd() < 0 || fstat(config.fd(), &of_config) != 0) return std::nullopt;
  Found run{{fmt::format("{}", uint64_t(found.st_ino)), name, holder(folder.fd()), 0, of_config.st_mtime},
            of_config.st_mtime};
  const FileHandle log = open_regular(folder.fd(), kLogFile);
  struct stat of_log {};
  if (log.fd() >= 0 && fstat(log.fd(), &of_log) == 0) run.entry.log_bytes = of_log.st_size;
  return run;
}

}  // namespace

std::vector<RunEntry> RunsFolder::list() const {
  const FileHandle folder(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR*)> names(folder.fd() >= 0 ? fdopendir(dup(folder.fd())) : nullptr,
                                                  [](DIR* open) { return open ? closedir(open) : 0; });
  std::vector<Found> found;
  while (names && found.size() < kMostRuns) {
    const dirent* entry = readdir(names.get());
    if (!entry) break;
    if (entry->d_name[0] == '.') continue;
    if (auto run = look_at(folder.fd(), entry->d_name)) found.push_back(*std::move(run));
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tuple(-a.begun, a.entry.name) < std::tuple(-b.begun, b.entry.name);
  });
  std::vector<RunEntry> runs;
  for (auto& run : found) runs.push_back(std::move(run.entry));
  return runs;
}

FileHandle RunsFolder::open_file(const RunEntry& run, std::string_view name) const {
  const FileHandle folder(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.fd() < 0) return FileHandle();
  const FileHandle inner = open_folder(folder.fd(), run.name.c_str());
  return inner.fd() < 0 ? FileHandle() : open_regular(inner.fd(), name);
}

Json RunsFolder::config(const RunEntry& run) const {
  const FileHandle file = open_file(run, kConfigFile);
  if (file.fd() < 0) return Json::object();
  auto config = parse_strict_json(read_from(file.fd(), 0, kLargestConfig));
  return config.ok() && config->is_object() ? *config : Json::object();
}

std::vector<Json> RunsFolder::log_from(const RunEntry& run, int64_t& offset) const {
  std::vector<Json> lines;
  const FileHandle file = open_file(run, kLogFile);
  if (file.fd() < 0) return lines;
  const std::string text = read_from(file.fd(), offset, kLogAtOnce);
  size_t begin = 0;
  for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    auto line = parse_strict_json(std::string_view(text).substr(begin, end - begin));
    if (line.ok() && line->is_object()) lines.push_back(*std::move(line));
  }
  if (begin == 0 && int64_t(text.size()) == kLogAtOnce) begin = text.size();  // no line of a log is that long
  offset += int64_t(begin);
  return lines;
}

RunProgress RunsFolder::progress(const RunEntry& run) const {
  const std::lock_guard lock(mutex_);
  auto& [bytes, known] = known_[run.id];
  if (bytes != run.log_bytes) {
    known = read_progress(run);
    bytes = run.log_bytes;
  }
  return known;
}

RunProgress RunsFolder::read_progress(const RunEntry& run) const {
  RunProgress progress;
  int64_t offset = std::max<int64_t>(0, run.log_bytes - kEndOfLog);
  for (const auto& line : log_from(run, offset)) {
    const auto event = line.find("event"), step = line.find("step"), how = line.find("how");
    if (event == line.end() || !event->is_string()) continue;
    if (step != line.end() && step->is_number_integer()) progress.step = step->get<int64_t>();
    if (*event == "resume" || *event == "start") progress.ended.reset();
    if (*event == "end" && how != line.end() && how->is_string())
      progress.ended = printable(how->get<std::string>(), 40);
    const auto accuracy = line.find(*event == "test" ? "accuracy" : "val_accuracy");
    if ((*event == "test" || *event == "epoch") && accuracy != line.end() && accuracy->is_number())
      progress.accuracy = accuracy->get<double>();
  }
  return progress;
}

Result<std::string> RunsFolder::report(const std::string& id) const {
  for (const auto& run : list()) {
    if (run.id != id) continue;
    const FileHandle file = open_file(run, kReportFile);
    struct stat found {};
    if (file.fd() < 0 || fstat(file.fd(), &found) != 0)
      return user_error("has no report yet: it is written when the training ends").in(printable(run.name, 200));
    if (found.st_size > kLargestReport) return user_error("its report is too large").in(printable(run.name, 200));
    return read_from(file.fd(), 0, found.st_size);
  }
  return user_error("there is no such run");
}

Status RunsFolder::stop(const std::string& id) const {
  for (int tries = 0; tries < 2; ++tries)
    for (const auto& run : list()) {
      if (run.id != id) continue;
      if (run.pid == 0) return user_error("is not running").in(printable(run.name, 200));
      // A handle of the process stays its own even if it ends and its number goes to another: so the lock is read
      // again.
      const FileHandle process(int(syscall(SYS_pidfd_open, run.pid, 0)));
      if (process.fd() < 0) continue;
      const auto again = list();
      const auto same = std::find_if(again.begin(), again.end(),
                                     [&](const RunEntry& other) { return other.id == run.id && other.pid == run.pid; });
      if (same == again.end()) continue;
      if (syscall(SYS_pidfd_send_signal, process.fd(), SIGINT, nullptr, 0) == 0) return {};
      return environment_error(fmt::format("process {} cannot be asked to stop: {}", run.pid, std::strerror(errno)))
          .in(printable(run.name, 200));
    }
  return user_error("there is no such run, or it has just ended");
}

}  // namespace plimsoll
