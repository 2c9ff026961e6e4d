#include "run/train/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/rows/json.h"
#include "base/rows/named.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "base/units.h"
#include "base/write_file.h"
#include "run/train/checkpoint.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNumbered = 100'000;

bool has_run(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path + "/" + std::string(kConfigFile), ignored);
}

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    return environment_error(fmt::format("cannot be made: {}", error.message()), "choose another " + named("run_dir"))
        .in(printable(path, 200));
  return {};
}

// The system gives the lock back when its holder ends, however it ends: so a lock that can be had is stale, and the
// number in it only says who has it.
Result<FileHandle> take_lock(const std::string& folder) {
  const std::string path = folder + "/" + std::string(kLockFile);
  FileHandle lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (lock.fd() < 0)
    return environment_error(fmt::format("cannot be written: {}", std::strerror(errno)),
                             "choose another " + named("run_dir"))
        .in(printable(path, 200));
  if (flock(lock.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return lock;  // a file system without locks
    char holder[32] = {};
    const ssize_t count = pread(lock.fd(), holder, sizeof holder - 1, 0);
    std::string pid(holder, count > 0 ? size_t(count) : 0);
    while (!pid.empty() && pid.back() == '\n') pid.pop_back();
    return user_error(fmt::format("is in use by process {}", printable(pid.empty() ? "?" : pid)),
                      "wait for it or choose another " + named("run_dir"))
        .in(printable(folder, 200));
  }
  struct stat there {};
  if (fstat(lock.fd(), &there) == 0 && there.st_nlink == 0) return take_lock(folder);  // its holder has just ended
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock.fd(), 0) != 0 || pwrite(lock.fd(), pid.data(), pid.size(), 0) != ssize_t(pid.size()))
    return environment_error(fmt::format("cannot be written: {}", std::strerror(errno))).in(printable(path, 200));
  return lock;
}

// What a start left that was killed while it wrote the first file. The folder may be a user's, with files of theirs.
void sweep_unfinished_config(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> unfinished;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(std::string(kConfigFile) + ".") && name.ends_with(kPartSuffix))
      unfinished.push_back(at->path());
  }
  for (const auto& path : unfinished) fs::remove(path, error);
}

}  // namespace

Result<std::string> make_run_folder(const std::string& runs, const std::string& name) {
  PLIM_TRY(make_folder(runs));
  std::string safe;
  for (const char c : name) safe += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ? c : '_';
  for (int i = 1; i < kMostNumbered; ++i) {
    const std::string path = fmt::format("{}/{}-{}", runs, safe.substr(0, 100), i);
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error)
      return environment_error(fmt::format("cannot be made: {}", error.message()), "choose a " + named("run_dir"))
          .in(printable(path, 200));
  }
  return user_error("has too many runs of this name", "choose a " + named("run_dir")).in(printable(runs, 200));
}

Result<RunDirectory> RunDirectory::create(const std::string& path, const std::string& name) {
  std::string folder = path;
  if (folder.empty()) {
    PLIM_ASSIGN(folder, make_run_folder("runs", name));
  } else {
    PLIM_TRY(make_folder(folder));
  }
  const Error taken = user_error("has a run already", fmt::format("add {} to continue it, or choose another {}",
                                                                  named("resume"), named("run_dir")))
                          .in(printable(folder, 200));
  if (has_run(folder)) return taken;
  PLIM_ASSIGN(FileHandle lock, take_lock(folder));
  RunDirectory directory(folder, std::move(lock));
  if (has_run(folder)) return taken;  // begun by another in between
  sweep_unfinished_config(folder);
  return directory;
}

Result<RunDirectory> RunDirectory::reopen(const std::string& path) {
  if (!has_run(path))
    return user_error("has no run to continue: there is no config.json",
                      "leave out " + named("resume") + " to begin one")
        .in(printable(path, 200));
  PLIM_ASSIGN(FileHandle lock, take_lock(path));
  sweep_leftovers(path);
  return RunDirectory(path, std::move(lock));
}

RunDirectory::~RunDirectory() {
  if (lock_.fd() >= 0) unlink(file(kLockFile).c_str());
}

Status RunDirectory::write_config(const Json& config) const {
  return write_whole_file(file(kConfigFile), config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<Json> read_config(const std::string& run_directory) {
  const std::string path = run_directory + "/" + std::string(kConfigFile);
  auto source = open_regular_file(path, ".json");
  if (!source.ok()) return std::move(source).error().in(printable(path, 200));
  std::string text(size_t(std::min<int64_t>((*source)->size(), 64 << 20)), '\0');
  PLIM_TRY((*source)->read(0, text));
  auto config = parse_strict_json(text);
  if (!config.ok()) return std::move(config).error().in(printable(path, 200));
  if (!config->is_object()) return user_error("is not an object").in(printable(path, 200));
  return config;
}

std::optional<Bytes> free_space(const std::string& folder) {
  struct statvfs space {};
  if (statvfs(folder.c_str(), &space) != 0) return std::nullopt;
  return Bytes(int64_t(space.f_frsize)) * int64_t(space.f_bavail);
}

}  // namespace plimsoll
