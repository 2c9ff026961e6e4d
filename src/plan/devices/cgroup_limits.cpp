#include "plan/devices/cgroup_limits.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <vector>

namespace plimsoll {
namespace {

constexpr int kMostCpus = 1 << 16;
constexpr size_t kLargestSystemFile = 16 << 20;

std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) found.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class T>
void lower(std::optional<T>& limit, const T& other) {
  if (other > T{} && (!limit || other < *limit)) limit = other;
}

// mountinfo writes a space in a path as \040.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size();
    plain += escape ? char((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')) : text[i];
    if (escape) i += 3;
  }
  return plain;
}

// One hierarchy of cgroups: where it is mounted, and which of its folders is shown there.
struct Mount {
  std::string root, point;
  std::vector<std::string> controllers;  // of version 1; empty: version 2
};

std::vector<Mount> cgroup_mounts(const std::string& root) {
  std::vector<Mount> mounts;
  for (const auto& line : pieces(system_file(root + "/proc/self/mountinfo"), '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto before = pieces(line.substr(0, dash), ' '), after = pieces(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    if (after[0] == "cgroup2") mounts.push_back({without_escapes(before[3]), without_escapes(before[4]), {}});
    if (after[0] == "cgroup")
      mounts.push_back({without_escapes(before[3]), without_escapes(before[4]), pieces(after[2], ',')});
  }
  return mounts;
}

// The folders of this process's cgroup and of its ancestors that the mount shows, innermost first.
std::vector<std::string> folders(const std::string& root, const Mount& mount, std::string path) {
  if (mount.root != "/") path = path.starts_with(mount.root) ? path.substr(mount.root.size()) : "";
  if (path.find("..") != std::string::npos) path.clear();  // outside of what a namespace shows
  while (path.ends_with('/')) path.pop_back();
  const std::string top = root + mount.point;
  std::vector<std::string> found;
  while (!path.empty() && path.front() == '/') {
    found.push_back(top + path);
    path.erase(path.rfind('/'));
  }
  found.push_back(top);
  return found;
}

void read_v2(const std::string& folder, CgroupLimits& limits) {
  // Past memory.high a process is slowed until it gives memory back: as a place to plan into, that is the limit.
  for (const char* file : {"/memory.max", "/memory.high"})
    if (const auto bytes = number<int64_t>(system_file(folder + file))) lower(limits.memory, Bytes(*bytes));
  const auto words = pieces(system_file(folder + "/cpu.max"), ' ');
  if (words.size() == 2)
    if (const auto quota = number<double>(words[0]), period = number<double>(words[1]); quota && period && *period > 0)
      lower(limits.cpus, *quota / *period);
  if (!limits.cpuset) limits.cpuset = parse_cpu_list(system_file(folder + "/cpuset.cpus.effective"));
}

void read_v1(const std::string& folder, CgroupLimits& limits) {
  if (const auto bytes = number<int64_t>(system_file(folder + "/memory.limit_in_bytes")))
    lower(limits.memory, Bytes(*bytes));
  const auto quota = number<double>(system_file(folder + "/cpu.cfs_quota_us"));
  const auto period = number<double>(system_file(folder + "/cpu.cfs_period_us"));
  if (quota && period && *period > 0) lower(limits.cpus, *quota / *period);
  for (const char* file : {"/cpuset.effective_cpus", "/cpuset.cpus"})
    if (!limits.cpuset) limits.cpuset = parse_cpu_list(system_file(folder + file));
}

bool belongs(const Mount& mount, const std::vector<std::string>& controllers) {
  if (controllers.empty() || mount.controllers.empty()) return controllers.empty() && mount.controllers.empty();
  return std::any_of(controllers.begin(), controllers.end(), [&](const std::string& name) {
    return std::find(mount.controllers.begin(), mount.controllers.end(), name) != mount.controllers.end();
  });
}

}  // namespace

std::string system_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char block[4096];
  while (text.size() < kLargestSystemFile && (file.read(block, sizeof block), file.gcount() > 0))
    text.append(block, size_t(file.gcount()));
  return text;
}

std::optional<CpuSet> parse_cpu_list(std::string_view text) {
  CpuSet cpus;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  for (const auto& range : pieces(text, ',')) {
    const size_t dash = range.find('-');
    const auto first = number<int>(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number<int>(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= kMostCpus) return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  if (cpus.empty()) return std::nullopt;
  return cpus;
}

CgroupLimits read_cgroup_limits(const std::string& root) {
  CgroupLimits limits;
  const auto mounts = cgroup_mounts(root);
  // A line is "4:memory:/path", of version 2 "0::/path".
  for (const auto& line : pieces(system_file(root + "/proc/self/cgroup"), '\n')) {
    const size_t first = line.find(':'), second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = pieces(line.substr(first + 1, second - first - 1), ',');
    for (const auto& mount : mounts) {
      if (!belongs(mount, controllers)) continue;
      for (const auto& folder : folders(root, mount, line.substr(second + 1)))
        controllers.empty() ? read_v2(folder, limits) : read_v1(folder, limits);
    }
  }
  return limits;
}

}  // namespace plimsoll
