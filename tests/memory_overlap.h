// A check of packed memory that shares nothing with the packer: walks through time with the places in use.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "plan/memory/pack.h"

namespace plimsoll {

// Each block inside the arena, aligned, and never over another that is alive.
inline testing::AssertionResult well_placed(const std::vector<Block>& blocks, const std::vector<Bytes>& offsets,
                                            Bytes arena) {
  if (offsets.size() != blocks.size()) return testing::AssertionFailure() << offsets.size() << " offsets";
  std::map<int32_t, std::vector<size_t>> starts, ends;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size == Bytes(0)) continue;
    if (offsets[i] < Bytes(0) || offsets[i] + blocks[i].size > arena)
      return testing::AssertionFailure() << "block " << i << " leaves the arena";
    if (offsets[i].value() % 64 != 0) return testing::AssertionFailure() << "block " << i << " is not aligned";
    starts[blocks[i].first].push_back(i);
    ends[blocks[i].last + 1].push_back(i);
  }
  for (const auto& [time, list] : ends) starts[time];  // so that every change is a stop
  std::map<int64_t, int64_t> in_use;                   // begin → end
  for (const auto& [time, list] : starts) {
    if (const auto dead = ends.find(time); dead != ends.end())
      for (const size_t i : dead->second) in_use.erase(offsets[i].value());
    for (const size_t i : list) {
      const int64_t begin = offsets[i].value(), end = begin + blocks[i].size.value();
      const auto above = in_use.lower_bound(begin);
      if (above != in_use.end() && above->first < end)
        return testing::AssertionFailure() << "block " << i << " overlaps the one at " << above->first;
      if (above != in_use.begin() && std::prev(above)->second > begin)
        return testing::AssertionFailure() << "block " << i << " overlaps the one at " << std::prev(above)->first;
      in_use[begin] = end;
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace plimsoll
