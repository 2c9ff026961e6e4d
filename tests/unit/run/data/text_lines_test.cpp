#include "run/data/text_lines.h"

#include <gtest/gtest.h>

#include "run/data/aligned_memory.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

struct Sample {
  std::vector<int64_t> tokens;
  int64_t label = -1;
};

Sample sample_of(const Dataset& dataset, int64_t index) {
  Sample sample;
  sample.tokens.resize(size_t(dataset.info().type.input.shape[0]));
  const AlignedMemory scratch(dataset.scratch());
  const auto status =
      dataset.get(index, 0, std::as_writable_bytes(std::span(sample.tokens)), sample.label, scratch.span());
  EXPECT_TRUE(status.ok()) << status.error().line();
  return sample;
}

class TextLinesTest : public testing::Test {
 protected:
  Result<TextLines> open(const std::string& text, const TextOptions& options = {}) {
    return open_text_lines(folder_.write("text.csv", text), options);
  }
  std::string failure(const std::string& text) {
    const auto lines = open(text);
    return lines.ok() ? "" : lines.error().line();
  }
  TemporaryFolder folder_;
};

TEST_F(TextLinesTest, WordsByFrequencyThenSpelling) {
  const auto lines =
      open("label,text\nspam,\"Buy, buy NOW\"\nham,see you now\r\n\nspam,buy a \"\"boat\"\"", {.length = 5});
  ASSERT_TRUE(lines.ok()) << lines.error().line();
  const Dataset& set = *lines->dataset;
  EXPECT_EQ(set.size(), 3);
  EXPECT_EQ(set.info().class_names, (std::vector<std::string>{"ham", "spam"}));
  // buy 3, now 2, then a, boat, see, you: 2 3 4 5 6 7.
  EXPECT_EQ(sample_of(set, 0).tokens, (std::vector<int64_t>{2, 2, 3, 0, 0}));
  EXPECT_EQ(sample_of(set, 0).label, 1);
  EXPECT_EQ(sample_of(set, 1).tokens, (std::vector<int64_t>{6, 7, 3, 0, 0}));
  EXPECT_EQ(sample_of(set, 2).tokens, (std::vector<int64_t>{2, 4, 5, 0, 0}));
}

TEST_F(TextLinesTest, CutToTheLengthAndTheVocabulary) {
  const auto lines = open("a,one two two three three three\n", {.length = 4, .vocabulary = 4});
  ASSERT_TRUE(lines.ok());
  EXPECT_EQ(sample_of(*lines->dataset, 0).tokens, (std::vector<int64_t>{1, 3, 3, 2}));
}

TEST_F(TextLinesTest, OtherPartsUseTheTrainingVocabulary) {
  const auto train = open("a,red green\nb,red", {.length = 3});
  ASSERT_TRUE(train.ok());
  const auto test =
      open_text_lines(folder_.write("test.csv", "b,green blue"), {.length = 3, .trained = train->vocabulary});
  ASSERT_TRUE(test.ok());
  EXPECT_EQ(sample_of(*test->dataset, 0).tokens, (std::vector<int64_t>{3, 1, 0}));
  EXPECT_EQ(sample_of(*test->dataset, 0).label, 1);
  const auto bad = open_text_lines(folder_.write("bad.csv", "c,green"), {.trained = train->vocabulary});
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().line().find("bad.csv: sample 1 at byte 0: has the label 'c'"), std::string::npos);
}

TEST_F(TextLinesTest, LinesAcrossBlocks) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += (i % 2 == 0 ? "even,word" : "odd,word") + std::to_string(i % 10) + "\n";
  const auto lines = open(text, {.length = 1});
  ASSERT_TRUE(lines.ok());
  EXPECT_EQ(lines->dataset->size(), 60'000);
  EXPECT_EQ(sample_of(*lines->dataset, 59'999).label, 1);
  EXPECT_EQ(sample_of(*lines->dataset, 59'999).tokens, sample_of(*lines->dataset, 9).tokens);
}

TEST_F(TextLinesTest, Mistakes) {
  EXPECT_NE(failure("").find("has no lines"), std::string::npos);
  EXPECT_NE(failure("no comma here\n").find("sample 1 at byte 0: has no comma"), std::string::npos);
  EXPECT_NE(failure("a,b\n,c\n").find("sample 2 at byte 4: has no label"), std::string::npos);
  EXPECT_NE(failure("a," + std::string(2 << 20, 'x')).find("has a line of more than"), std::string::npos);
  EXPECT_NE(failure(std::string(300, 'x') + ",y").find("label of more than 200"), std::string::npos);
  EXPECT_FALSE(open_text_lines(folder_.path() + "/missing.csv", {}).ok());
}

}  // namespace
}  // namespace plimsoll
