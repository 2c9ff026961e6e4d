// Texts as sequences of tokens: every token but the first is asked for once, whatever the files look like.
#include "run/data/text/token_sequences.h"

#include <gtest/gtest.h>

#include "run/data/text/token_list.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

class TokenSequencesTest : public testing::Test {
 protected:
  Result<DatasetPtr> open(const std::string& path, int64_t length) {
    PLIM_ASSIGN(const TextDocuments documents, TextDocuments::open(path));
    return token_sequences(path, documents, bytes_tokenizer(), length);
  }
  static std::vector<int64_t> sample(const Dataset& dataset, int64_t index) {
    std::vector<int64_t> tokens(size_t(dataset.info().type.input.shape[0]));
    int64_t label = -1;
    EXPECT_TRUE(dataset.get(index, 0, std::as_writable_bytes(std::span(tokens)), label, {}).ok());
    EXPECT_EQ(label, 0);
    return tokens;
  }
  // All that the network is to say, in order.
  static std::string asked(const Dataset& dataset) {
    std::string text;
    for (int64_t i = 0; i < dataset.size(); ++i) {
      const auto tokens = sample(dataset, i);
      for (size_t at = 1; at < tokens.size(); ++at) text += char(tokens[at]);
    }
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(TokenSequencesTest, OverlapByOneToken) {
  const auto set = open(folder_.write("a.txt", "abcdefghij"), 4);
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ((*set)->size(), 2);
  EXPECT_EQ(sample(**set, 0), (std::vector<int64_t>{'a', 'b', 'c', 'd', 'e'}));
  EXPECT_EQ(sample(**set, 1), (std::vector<int64_t>{'e', 'f', 'g', 'h', 'i'}));
}

TEST_F(TokenSequencesTest, ATokenStandsBetweenTexts) {
  folder_.write("b.txt", "zw");
  folder_.write("a.jsonl", "{\"text\": \"x\\ny\"}\n\n{\"id\": 1, \"text\": \"\"}\n{\"text\": \"u\"}");
  folder_.write("picture.png", "not text");
  const auto set = open(folder_.path(), 1);
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ(asked(**set), std::string("\ny\0\0u\0zw\0", 9));
}

TEST_F(TokenSequencesTest, LongTextsAreReadInPiecesWithoutChange) {
  std::string text;
  for (int i = 0; text.size() < (3U << 20); ++i) text += "word" + std::to_string(i) + (i % 9 == 0 ? ".\n\n  " : " ");
  const auto set = open(folder_.write("long.txt", text), 7);
  ASSERT_TRUE(set.ok()) << set.error().line();
  const std::string all = asked(**set);
  EXPECT_EQ(all, (text + '\0').substr(1, all.size()));
  EXPECT_GE(all.size() + 7, text.size());
}

TEST_F(TokenSequencesTest, WhatIsNoTextIsNamed) {
  const auto error = [&](const std::string& name, const std::string& bytes) {
    const auto set = open(folder_.write(name, bytes), 2);
    return set.ok() ? std::string("read") : set.error().line();
  };
  EXPECT_NE(error("a.txt", "").find("is empty"), std::string::npos);
  EXPECT_NE(error("b.txt", std::string("ab\0c", 4)).find("byte 2 is 0"), std::string::npos);
  EXPECT_NE(error("c.txt", "caf\xE9 au lait").find("not UTF-8 text at byte 3"), std::string::npos);
  EXPECT_NE(error("d.txt", "caf\xC3").find("ends within a character"), std::string::npos);
  EXPECT_NE(error("e.txt", "a").find("fewer than one sequence"), std::string::npos);
  EXPECT_NE(error("f.jsonl", "{\"text\": \"one\"}\n{\"words\": 1}\n").find("line 2: has no \"text\""),
            std::string::npos);
  EXPECT_NE(error("g.jsonl", "{\"text\": \n").find("line 1: "), std::string::npos);
  EXPECT_NE(error("h.jsonl", "[1]\n").find("line 1: has no \"text\""), std::string::npos);
}

TEST_F(TokenSequencesTest, IdentityFollowsTextTokenizerAndLength) {
  const std::string path = folder_.write("a.txt", "some text to be read");
  const auto one = open(path, 4), same = open(path, 4), longer = open(path, 5);
  const auto other = open(folder_.write("b.txt", "some text to be rEad"), 4);
  ASSERT_TRUE(one.ok() && same.ok() && longer.ok() && other.ok());
  EXPECT_EQ((*one)->info().identity, (*same)->info().identity);
  EXPECT_NE((*one)->info().identity, (*longer)->info().identity);
  EXPECT_NE((*one)->info().identity, (*other)->info().identity);
}

TEST(TokenListTest, KeepsWideAndNarrowNumbers) {
  for (const int64_t vocabulary : {256, 60'000, 200'000}) {
    TokenList list(vocabulary);
    std::vector<int32_t> tokens;
    for (int32_t i = 0; i < 150'000; ++i) tokens.push_back(int32_t((i * 7919) % vocabulary));
    list.add(tokens);
    std::vector<int64_t> back(tokens.size());
    list.copy(0, back);
    EXPECT_TRUE(std::equal(back.begin(), back.end(), tokens.begin(), tokens.end())) << vocabulary;
  }
}

}  // namespace
}  // namespace plimsoll
