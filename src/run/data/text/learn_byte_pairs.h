// Learns a vocabulary of byte pairs from text: the pair that stands side by side most often becomes a token, and so on.
//
// Words are counted once; after that a merge costs only the words that it changes, and the next pair comes from a
// queue, so that 100 MB of text are a matter of seconds. Of pairs that are equally frequent the one with the smaller
// numbers is taken: the same text gives the same vocabulary everywhere.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "run/data/text/byte_pairs.h"

namespace plimsoll {

// How often each word occurs. Very long words, which are no language, do not count.
class WordCounts {
 public:
  void add(std::string_view word);
  const auto& all() const { return counts_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> counts_;
};

// Tokens 0 to 255 are the bytes, the merges' follow. Fewer than `most` where no pair occurs twice any more.
std::vector<PairMerge> learn_merges(const WordCounts& words, int64_t most);

}  // namespace plimsoll
