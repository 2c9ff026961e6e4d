#include "run/ask/probe_reply.h"

namespace plimsoll {
namespace {

constexpr double kGiga = 1e9;

}  // namespace

// Rows are sorted, so those of one group are neighbours.
std::vector<ConvRatesReply> rates_reply(const ConvRates& rates) {
  std::vector<ConvRatesReply> groups;
  for (const auto& row : rates.rows()) {
    const auto same = [&](const ConvRatesReply& group) {
      return group.direction == row.direction && group.method == row.method && group.kernel == row.kernel;
    };
    if (groups.empty() || !same(groups.back())) groups.push_back({row.direction, row.method, row.kernel, {}});
    groups.back().at.push_back({{row.channels, row.places}, row.rate.per_second / kGiga});
  }
  return groups;
}

std::vector<MemoryBoundRatesReply> rates_reply(const MemoryBoundRates& rates) {
  std::vector<MemoryBoundRatesReply> groups;
  for (const auto& row : rates.rows()) {
    if (groups.empty() || groups.back().kind != row.kind) groups.push_back({row.kind, {}});
    groups.back().at.push_back({{row.bytes.value()}, row.rate.per_second / kGiga});
  }
  return groups;
}

std::vector<LevelReply> levels_reply(const Probe& probe) {
  std::vector<LevelReply> levels;
  for (const auto& level : probe.levels) {
    levels.push_back({level.name, 1, level.each_one, level.one});
    if (probe.team > 1) levels.push_back({level.name, probe.team, level.each_all, level.all});
  }
  return levels;
}

}  // namespace plimsoll
