// BytePairs: a vocabulary of byte pairs (Gage 1994, Sennrich 2016). A word starts as its bytes, and the pair of
// neighbours that comes first in the list of merges becomes one token, again and again, until no pair is in the list.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plimsoll {

struct PairMerge {
  int32_t left = 0, right = 0;  // that stand side by side
  int32_t made = 0;             // what they become
};

// Two tokens as one key.
inline uint64_t pair_key(int32_t left, int32_t right) { return uint64_t(uint32_t(left)) << 32 | uint32_t(right); }

class BytePairs {
 public:
  BytePairs() = default;
  // `bytes`: the token of each byte. Of a pair that is listed twice the first counts.
  BytePairs(const std::array<int32_t, 256>& bytes, const std::vector<PairMerge>& merges);

  // Adds the tokens of one word.
  void encode(std::string_view word, std::vector<int32_t>& into) const;

 private:
  struct Rank {
    int32_t place, made;
  };
  const Rank* rank_of(int32_t left, int32_t right) const;

  std::array<int32_t, 256> bytes_{};
  std::unordered_map<uint64_t, Rank> ranks_;
};

}  // namespace plimsoll
