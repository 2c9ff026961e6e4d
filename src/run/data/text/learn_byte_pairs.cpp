#include "run/data/text/learn_byte_pairs.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace plimsoll {
namespace {

constexpr size_t kLongestCounted = 256;
constexpr int32_t kBytes = 256;
constexpr int64_t kFewest = 2;  // times that a pair has to occur

struct CountedWord {
  std::vector<int32_t> tokens;
  int64_t count = 0;
};

struct CountedPair {
  int64_t count;
  uint64_t key;

  // The most frequent first, of equals the one with the smaller numbers.
  bool operator<(const CountedPair& other) const {
    return count != other.count ? count < other.count : key > other.key;
  }
};

class PairLearner {
 public:
  explicit PairLearner(const WordCounts& counts) {
    for (const auto& [word, count] : counts.all()) {
      CountedWord counted{{}, count};
      for (const char byte : word) counted.tokens.push_back(static_cast<unsigned char>(byte));
      words_.push_back(std::move(counted));
    }
    for (size_t i = 0; i < words_.size(); ++i)
      for (size_t at = 0; at + 1 < words_[i].tokens.size(); ++at) add(key_at(words_[i], at), int32_t(i));
    for (const auto& [key, pair] : pairs_) queue_.push({pair.count, key});
  }

  // What is taken next; nullopt: no pair is frequent enough.
  std::optional<uint64_t> best() {
    while (!queue_.empty()) {
      const CountedPair top = queue_.top();
      queue_.pop();
      const int64_t now = pairs_.at(top.key).count;
      if (now == top.count && now >= kFewest) return top.key;
      if (now < top.count && now >= kFewest) queue_.push({now, top.key});  // it has become rarer meanwhile
    }
    return std::nullopt;
  }

  void merge(uint64_t key, int32_t made) {
    std::vector<int32_t> where = std::move(pairs_.at(key).words);
    std::sort(where.begin(), where.end());
    where.erase(std::unique(where.begin(), where.end()), where.end());
    changed_.clear();
    for (const int32_t word : where) merge_in(words_[size_t(word)], word, key, made);
    pairs_.at(key) = {};
    for (const uint64_t other : changed_)
      if (const auto found = pairs_.find(other); found != pairs_.end()) queue_.push({found->second.count, other});
  }

 private:
  struct PairPlace {
    int64_t count = 0;
    std::vector<int32_t> words;  // that it was seen in; some may have lost it
  };

  static uint64_t key_at(const CountedWord& word, size_t at) { return pair_key(word.tokens[at], word.tokens[at + 1]); }

  void add(uint64_t key, int32_t word) {
    PairPlace& pair = pairs_[key];
    pair.count += words_[size_t(word)].count;
    if (pair.words.empty() || pair.words.back() != word) pair.words.push_back(word);
  }

  void merge_in(CountedWord& word, int32_t number, uint64_t key, int32_t made) {
    for (size_t at = 0; at + 1 < word.tokens.size(); ++at) {
      if (key_at(word, at) != key) continue;
      if (at > 0) pairs_[key_at(word, at - 1)].count -= word.count;
      if (at + 2 < word.tokens.size()) pairs_[key_at(word, at + 1)].count -= word.count;
      word.tokens[at] = made;
      word.tokens.erase(word.tokens.begin() + long(at) + 1);
      if (at > 0) add_changed(key_at(word, at - 1), number);
      if (at + 1 < word.tokens.size()) add_changed(key_at(word, at), number);
    }
  }

  void add_changed(uint64_t key, int32_t word) {
    add(key, word);
    changed_.push_back(key);
  }

  std::vector<CountedWord> words_;
  std::unordered_map<uint64_t, PairPlace> pairs_;
  std::priority_queue<CountedPair> queue_;
  std::vector<uint64_t> changed_;
};

}  // namespace

void WordCounts::add(std::string_view word) {
  if (word.size() > kLongestCounted) return;
  const auto found = counts_.find(word);
  if (found != counts_.end()) ++found->second;
  else counts_.emplace(word, 1);
}

std::vector<PairMerge> learn_merges(const WordCounts& words, int64_t most) {
  PairLearner learner(words);
  std::vector<PairMerge> merges;
  while (int64_t(merges.size()) < most) {
    const auto key = learner.best();
    if (!key) break;
    const auto made = int32_t(kBytes + int64_t(merges.size()));
    merges.push_back({int32_t(*key >> 32), int32_t(*key & 0xFFFFFFFFU), made});
    learner.merge(*key, made);
  }
  return merges;
}

}  // namespace plimsoll
