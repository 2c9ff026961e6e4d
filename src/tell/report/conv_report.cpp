#include "tell/report/conv_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace plimsoll {

std::string conv_text(const std::map<ConvMethod, int64_t>& methods) {
  std::map<std::string, int64_t> ways;  // whatever the tiles
  for (const auto& [method, count] : methods) ways[std::string(way_of(method))] += count;
  std::vector<std::pair<std::string, int64_t>> sorted(ways.begin(), ways.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [way, count] : sorted) text += fmt::format("{}{} {}", text.empty() ? "conv: " : ", ", count, way);
  return text;
}

Json conv_json(const std::map<ConvMethod, int64_t>& methods) {
  Json json = Json::object();
  for (const auto& [method, count] : methods) json[std::string(name_of(method))] = count;
  return json;
}

}  // namespace plimsoll
