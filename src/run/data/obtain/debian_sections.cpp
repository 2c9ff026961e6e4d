// A text set from Debian's own package descriptions: which of the two largest sections of the archive a package is in,
// by its one-line description. What it holds follows from the packages that apt knows of on this machine.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "model/zoo/all_models.h"
#include "run/data/obtain/obtain.h"
#include "run/data/obtain/run_tool.h"

namespace plimsoll {
namespace {

constexpr uLong kTestShare = 5;      // every fifth package, by its name
constexpr size_t kFewestLines = 50;  // of a part: fewer are no set

struct Package {
  std::string section, text;
};

std::string after(const std::string& line, std::string_view key) {
  return line.starts_with(key) ? line.substr(key.size()) : std::string();
}

// By name: of several versions the last counts.
std::map<std::string, Package> read_packages(const std::string& path) {
  std::map<std::string, Package> packages;
  std::ifstream in(path);
  std::string line, name;
  Package package;
  const auto finish = [&] {
    if (!name.empty() && !package.section.empty() && !package.text.empty()) packages[name] = package;
    name.clear();
    package = {};
  };
  while (std::getline(in, line)) {
    if (line.empty()) finish();
    if (auto value = after(line, "Package: "); !value.empty()) name = value;
    if (auto value = after(line, "Section: "); !value.empty()) package.section = value.substr(value.rfind('/') + 1);
    if (auto value = after(line, "Description: "); !value.empty()) package.text = value;
    if (auto value = after(line, "Description-en: "); !value.empty()) package.text = value;
  }
  finish();
  return packages;
}

std::set<std::string> largest_sections(const std::map<std::string, Package>& packages, size_t count) {
  std::map<std::string, int64_t> sizes;
  for (const auto& [name, package] : packages) ++sizes[package.section];
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto& [section, size] : sizes) order.emplace_back(-size, section);
  std::sort(order.begin(), order.end());
  std::set<std::string> largest;
  for (size_t i = 0; i < std::min(count, order.size()); ++i) largest.insert(order[i].second);
  return largest;
}

std::string csv_line(const Package& package) {
  std::string quoted;
  for (const char c : package.text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return fmt::format("{},\"{}\"\n", package.section, quoted);
}

Status make(const std::string& folder, const std::string&, const ObtainProgress& progress) {
  const std::string list = (std::filesystem::path(folder).parent_path() / "available").string();
  progress("reading the descriptions of all packages that apt knows");
  PLIM_TRY(run_tool({"apt-cache", "dumpavail"}, folder, list));
  const auto packages = read_packages(list);
  const ZooModel* network = find_model("textcnn");
  PLIM_CHECK(network != nullptr, "the zoo has no textcnn");
  const auto sections = largest_sections(packages, size_t(network->classes));
  std::string train = "label,text\n", test = train;
  std::set<std::string> seen;  // the same words in both parts would make the test too easy
  for (const auto& [name, package] : packages) {
    if (!sections.contains(package.section) || !seen.insert(package.text).second) continue;
    const uLong number = crc32(0, reinterpret_cast<const Bytef*>(name.data()), uInt(name.size()));
    (number % kTestShare == 0 ? test : train) += csv_line(package);
  }
  PLIM_TRY(write_new_file(folder + "/train.csv", train));
  return write_new_file(folder + "/test.csv", test);
}

// The lists of packages change from day to day; what can be said is that both parts are there.
Status check(const std::string& folder) {
  for (const char* part : {"train.csv", "test.csv"}) {
    std::ifstream in(fmt::format("{}/{}", folder, part));
    std::string line;
    size_t lines = 0;
    while (std::getline(in, line)) ++lines;
    if (lines < kFewestLines)
      return user_error(fmt::format("has {} lines, expected at least {}", lines, kFewestLines),
                        "does apt know the archive? Run apt-get update")
          .in(fmt::format("{}/{}", folder, part));
  }
  return {};
}

}  // namespace

ObtainableSet debian_sections_set() {
  return {"debian-sections", "Debian's package descriptions, as apt has them", {}, make, check};
}

}  // namespace plimsoll
