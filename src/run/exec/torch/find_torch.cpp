#include "run/exec/torch/find_torch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/text.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtorch_cpu.so";

bool has_library(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kLibrary, error);
}

// The folders under `prefix` that are called like one of Python's: lib/python3.11/site-packages.
std::vector<fs::path> packages_under(const fs::path& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", error))
    if (entry.path().filename().string().starts_with("python3"))
      for (const char* packages : {"site-packages", "dist-packages"}) found.push_back(entry.path() / packages);
  return found;
}

// In the folder itself, as a package (torch/lib), or as an environment (lib/python3.11/site-packages/torch/lib).
std::optional<std::string> library_in(const fs::path& folder) {
  std::vector<fs::path> places{folder, folder / "lib", folder / "torch" / "lib"};
  for (const auto& packages : packages_under(folder)) places.push_back(packages / "torch" / "lib");
  for (const auto& place : places)
    if (has_library(place)) return place.string();
  return std::nullopt;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Of the first python3 on the PATH, as it is called and where it really is; and of the user's own packages.
std::vector<fs::path> prefixes_of_python() {
  std::vector<fs::path> prefixes;
  const std::string path = variable("PATH");
  for (size_t from = 0; from <= path.size();) {
    const size_t end = std::min(path.find(':', from), path.size());
    const fs::path program = fs::path(path.substr(from, end - from)) / "python3";
    from = end + 1;
    std::error_code error;
    if (!fs::exists(program, error)) continue;
    prefixes.push_back(program.parent_path().parent_path());
    const fs::path real = fs::canonical(program, error);
    if (!error) prefixes.push_back(real.parent_path().parent_path());
    break;
  }
  if (const std::string home = variable("HOME"); !home.empty()) prefixes.push_back(fs::path(home) / ".local");
  prefixes.emplace_back("/usr/local");
  return prefixes;
}

Result<std::string> given_torch(const std::string& place) {
  const auto error = [&](const char* what) {
    return user_error(fmt::format("PLIMSOLL_TORCH is {}, {}", in_quotes(place), what),
                      "expected the folder of libtorch_cpu.so, of the package torch, or of a virtual environment");
  };
  std::error_code ignored;
  if (!fs::exists(place, ignored)) return error("which does not exist");
  if (!fs::is_directory(place, ignored)) return error("which is a file");
  auto found = library_in(place);
  if (!found) return error("which holds no libtorch");
  return *std::move(found);
}

}  // namespace

Result<std::string> find_torch() {
  if (const std::string given = variable("PLIMSOLL_TORCH"); !given.empty()) return given_torch(given);
  std::vector<fs::path> places;
  if (const std::string environment = variable("VIRTUAL_ENV"); !environment.empty()) places.emplace_back(environment);
  if (const std::string home = variable("HOME"); !home.empty()) places.push_back(fs::path(home) / ".plimsoll");
  for (auto& prefix : prefixes_of_python()) places.push_back(std::move(prefix));
  for (const auto& place : places)
    if (auto found = library_in(place)) return *std::move(found);
  return user_error("PyTorch, whose kernels run on this device, was not found",
                    fmt::format("{}; or set PLIMSOLL_TORCH to its folder", kInstallTorch));
}

std::optional<std::string> stated_version(const std::string& folder) {
  std::ifstream file(fs::path(folder).parent_path() / "version.py");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("__version__")) continue;
    const size_t from = line.find('\''), to = line.rfind('\'');
    if (from != std::string::npos && to > from) return line.substr(from + 1, to - from - 1);
  }
  return std::nullopt;
}

std::optional<TorchRelease> release_of(const std::string& version) {
  TorchRelease release;
  const char *at = version.data(), *end = at + version.size();
  const auto major = std::from_chars(at, end, release.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, release.minor);
  if (minor.ec != std::errc()) return std::nullopt;
  return release;
}

Status check_release(const std::string& folder) {
  const auto version = stated_version(folder);
  const auto release = version ? release_of(*version) : std::nullopt;
  if (!release) return {};
  if (std::pair(release->major, release->minor) >= std::pair(kOldestTorch.major, kOldestTorch.minor)) return {};
  return user_error(fmt::format("PyTorch {} in {} is too old, expected {}.{} or later", printable(*version),
                                in_quotes(folder), kOldestTorch.major, kOldestTorch.minor),
                    fmt::format("{}; or set PLIMSOLL_TORCH to a newer one", kInstallTorch));
}

}  // namespace plimsoll
