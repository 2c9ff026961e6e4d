// Byte pairs: what is learnt from a text, and how words are written with it.
#include <gtest/gtest.h>

#include "run/data/text/learn_byte_pairs.h"
#include "run/data/text/tokenizer.h"

namespace plimsoll {
namespace {

WordCounts counted(const std::vector<std::pair<std::string, int>>& words) {
  WordCounts counts;
  for (const auto& [word, times] : words)
    for (int i = 0; i < times; ++i) counts.add(word);
  return counts;
}

// Taken by hand: the most frequent pair of all words, counted anew after every merge.
std::vector<PairMerge> learnt_slowly(const WordCounts& counts, int64_t most) {
  std::vector<std::pair<std::vector<int32_t>, int64_t>> words;
  for (const auto& [word, count] : counts.all()) {
    std::vector<int32_t> tokens;
    for (const char byte : word) tokens.push_back(static_cast<unsigned char>(byte));
    words.emplace_back(tokens, count);
  }
  std::vector<PairMerge> merges;
  while (int64_t(merges.size()) < most) {
    std::map<std::pair<int32_t, int32_t>, int64_t> pairs;
    for (const auto& [tokens, count] : words)
      for (size_t i = 0; i + 1 < tokens.size(); ++i) pairs[{tokens[i], tokens[i + 1]}] += count;
    auto best = pairs.end();
    for (auto at = pairs.begin(); at != pairs.end(); ++at)
      if (best == pairs.end() || at->second > best->second) best = at;
    if (best == pairs.end() || best->second < 2) break;
    const auto made = int32_t(256 + merges.size());
    merges.push_back({best->first.first, best->first.second, made});
    for (auto& [tokens, count] : words)
      for (size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i] == best->first.first && tokens[i + 1] == best->first.second) {
          tokens[i] = made;
          tokens.erase(tokens.begin() + long(i) + 1);
        }
  }
  return merges;
}

TEST(LearntBytePairs, MostFrequentFirst) {
  const auto merges = learn_merges(counted({{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}}), 3);
  ASSERT_EQ(merges.size(), 3U);
  EXPECT_EQ(merges[0].left, 'e');  // es and st occur nine times each: the smaller numbers first
  EXPECT_EQ(merges[0].right, 's');
  EXPECT_EQ(merges[1].left, 256);
  EXPECT_EQ(merges[1].right, 't');
  EXPECT_EQ(merges[2].left, 'l');
  EXPECT_EQ(merges[2].made, 258);
}

TEST(LearntBytePairs, SameAsCountingAnewEachTime) {
  std::vector<std::pair<std::string, int>> words;
  uint64_t bits = 7;
  for (int i = 0; i < 300; ++i) {
    std::string word;
    for (int letter = 0; letter < 1 + i % 12; ++letter) {
      bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
      word += char('a' + (bits >> 60) % 4);  // few letters: many repeats, also of one letter with itself
    }
    words.emplace_back(word, 1 + i % 7);
  }
  const WordCounts counts = counted(words);
  const auto fast = learn_merges(counts, 200), slow = learnt_slowly(counts, 200);
  ASSERT_EQ(fast.size(), slow.size());
  for (size_t i = 0; i < fast.size(); ++i) {
    EXPECT_EQ(fast[i].left, slow[i].left) << i;
    EXPECT_EQ(fast[i].right, slow[i].right) << i;
  }
}

TEST(LearntBytePairs, StopWhereNoPairOccursTwice) {
  EXPECT_TRUE(learn_merges(counted({{"abcd", 1}}), 10).empty());
  EXPECT_TRUE(learn_merges(counted({}), 10).empty());
  EXPECT_EQ(learn_merges(counted({{"ab", 2}}), 10).size(), 1U);
}

TEST(BytePairTokenizer, WritesAndReadsAnyText) {
  const auto tokenizer = byte_pair_tokenizer(learn_merges(counted({{" the", 9}, {" then", 4}, {"the", 3}}), 20));
  const std::string text = "the then, \xC3\xA4 the  other\n";
  const auto tokens = tokenizer->encode(text);
  EXPECT_LT(tokens.size(), text.size());
  std::string back;
  for (const int32_t token : tokens) back += tokenizer->bytes_of(token);
  EXPECT_EQ(back, text);
  EXPECT_EQ(tokenizer->end_of_text(), tokenizer->size() - 1);
  EXPECT_EQ(tokenizer->bytes_of(*tokenizer->end_of_text()), "");
  EXPECT_EQ(tokenizer->bytes_of(tokenizer->size()), "");
}

TEST(BytesTokenizer, IsTheBytes) {
  const auto tokenizer = bytes_tokenizer();
  EXPECT_EQ(tokenizer->size(), 256);
  EXPECT_EQ(tokenizer->encode("A b"), (std::vector<int32_t>{'A', ' ', 'b'}));
}

}  // namespace
}  // namespace plimsoll
