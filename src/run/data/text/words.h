// How text is cut into words before byte pairs are merged. Each way is a regular expression that tokenizer files have;
// here they are walked by hand, which is exact and fast. No word begins in one way because of what came before it, so
// text may be cut between a character that is no space and a space without changing any word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

enum class WordPattern {
  gpt2,    // GPT-2's: " word", numbers of any length, runs of punctuation
  llama3,  // GPT-4's and Llama 3's: numbers in threes, line ends apart
  qwen2,   // the same with every digit by itself
};

// The pattern that a tokenizer file writes so; nullopt: it is none of them.
std::optional<WordPattern> word_pattern(std::string_view expression);
std::string_view expression_of(WordPattern pattern);

class Words {
 public:
  Words(std::string_view text, WordPattern pattern) : text_(text), pattern_(pattern) {}

  // The next word; nullopt: the text is over. Together they are the text.
  std::optional<std::string_view> next();

 private:
  size_t gpt2_word() const;    // where the word that begins at at_ ends
  size_t llama3_word() const;  // and so on
  size_t spaces() const;
  size_t contraction(bool any_case) const;
  size_t letters_after(size_t at) const;

  std::string_view text_;
  WordPattern pattern_;
  size_t at_ = 0;
};

}  // namespace plimsoll
