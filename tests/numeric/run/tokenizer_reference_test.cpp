// Tokens of texts against Hugging Face's tokenizers, stored (tools/tokenizer_references.py): words as GPT-2, Llama 3
// and Qwen cut them, spaces, line ends, other scripts and all.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "run/data/text/tokenizer_file.h"

namespace plimsoll {
namespace {

class TokenizerReference : public testing::TestWithParam<const char*> {
 protected:
  TokenizerReference()
      : stored_(
            nlohmann::json::parse(std::ifstream(std::string(PLIM_TEST_DATA) + "/tokenizers/" + GetParam() + ".json"))) {
  }

  nlohmann::json stored_;
};

TEST_P(TokenizerReference, SameTokens) {
  const auto tokenizer = parse_tokenizer(stored_["tokenizer"].dump());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().line();
  ASSERT_GT(stored_["cases"].size(), 5U);
  for (const auto& one : stored_["cases"]) {
    const auto text = one["text"].get<std::string>();
    const auto tokens = (*tokenizer)->encode(text);
    EXPECT_EQ(tokens, one["tokens"].get<std::vector<int32_t>>()) << text;
    std::string back;
    for (const int32_t token : tokens) back += (*tokenizer)->bytes_of(token);
    EXPECT_EQ(back, text);
  }
}

TEST_P(TokenizerReference, WrittenAndReadAgainItIsTheSame) {
  const auto given = parse_tokenizer(stored_["tokenizer"].dump());
  ASSERT_TRUE(given.ok()) << given.error().line();
  TokenizerParts parts = (*given)->parts();
  parts.source.clear();  // so that it is written anew
  const Tokenizer made(std::move(parts));
  const auto again = parse_tokenizer(tokenizer_text(made));
  ASSERT_TRUE(again.ok()) << again.error().line();
  EXPECT_EQ((*again)->identity(), (*given)->identity());
  EXPECT_EQ((*again)->end_of_text(), (*given)->end_of_text());
}

INSTANTIATE_TEST_SUITE_P(Stored, TokenizerReference, testing::Values("gpt2", "llama3", "qwen2"));

}  // namespace
}  // namespace plimsoll
