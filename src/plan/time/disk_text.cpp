#include "plan/time/disk_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostDrives = 1000;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "4x" of "4xsata"; "" when it is one drive.
std::string count_before_x(const std::string& text) {
  const size_t x = text.find('x');
  if (x == std::string::npos || x == 0 || !std::all_of(text.begin(), text.begin() + long(x), is_digit)) return "";
  return text.substr(0, x);
}

}  // namespace

Result<Disk> parse_disk(const std::string& flag, const std::string& text) {
  const size_t at = text.find('@');
  const std::string count = count_before_x(text.substr(0, at));
  const size_t first = count.empty() ? 0 : count.size() + 1;
  const std::string one = text.substr(first, at == std::string::npos ? at : at - first);
  Disk disk;
  if (!one.empty() && (is_digit(one[0]) || one[0] == '-' || one[0] == '.')) {
    PLIM_ASSIGN(const BytesPerSecond rate, parse_rate(flag, one));
    disk = disk_of_rate(one, rate);
  } else {
    auto found = find_disk(one);
    if (!found.ok()) return std::move(found).error().in(flag);
    disk = *std::move(found);
  }
  if (!count.empty()) {
    PLIM_ASSIGN(disk.drives, parse_integer(flag, count, 1, kMostDrives));
    disk.title = fmt::format("{} × {}", disk.drives, disk.title);
    if (disk.controller) disk.controller->per_second *= double(disk.drives);
  }
  if (at != std::string::npos) {
    PLIM_ASSIGN(disk.controller, parse_rate(flag, text.substr(at + 1)));
  }
  disk.name = text;
  return disk;
}

Disk default_disk() {
  auto disk = find_disk(kDefaultDisk);
  PLIM_CHECK(disk.ok(), "the default disk is not in the table of disks");
  return *std::move(disk);
}

std::string disk_help() {
  std::string names;
  for (const auto& disk : all_disks())
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", disk.name, human_rate(disk.rate()));
  return "where samples and model are: " + names +
         ", or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1 GB/s";
}

}  // namespace plimsoll
