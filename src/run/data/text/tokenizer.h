// Tokenizer: text to tokens and back, by bytes or byte pairs. It comes from a tokenizer.json (tokenizer_file.h), is
// learnt from a text, or is the 256 bytes themselves. May be used from several threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/units.h"
#include "run/data/text/byte_pairs.h"
#include "run/data/text/words.h"

namespace plimsoll {

// What a tokenizer is made of.
struct TokenizerParts {
  std::vector<std::string> tokens;  // the bytes that each stands for; nothing for a special one
  std::vector<PairMerge> merges;
  std::vector<std::pair<int64_t, std::string>> special;  // number and name: "<|endoftext|>"
  std::optional<int64_t> end_of_text;                    // that stands between two texts
  WordPattern pattern = WordPattern::gpt2;
  bool whole_words = false;  // a word that is a token is that token, whatever the merges say
  std::string source;        // the tokenizer.json that it was read from; empty: it is written anew
};

class Tokenizer {
 public:
  // The parts are consistent: every byte has a token, numbers are within the list.
  explicit Tokenizer(TokenizerParts parts);
  Tokenizer(const Tokenizer&) = delete;  // tables look into the parts
  Tokenizer& operator=(const Tokenizer&) = delete;

  const TokenizerParts& parts() const { return parts_; }
  int64_t size() const { return int64_t(parts_.tokens.size()); }  // of the vocabulary
  std::optional<int64_t> end_of_text() const { return parts_.end_of_text; }
  uint64_t identity() const { return identity_; }
  Bytes memory() const;

  // Adds the tokens of one word.
  void encode_word(std::string_view word, std::vector<int32_t>& into) const;
  // Of a whole text. Names of special tokens are text like any other.
  std::vector<int32_t> encode(std::string_view text) const;
  // The bytes that a token stands for; nothing for a special one or a number that there is not.
  std::string_view bytes_of(int64_t token) const;

 private:
  TokenizerParts parts_;
  BytePairs pairs_;
  std::unordered_map<std::string_view, int32_t> whole_;  // of words that are tokens, where that counts
  uint64_t identity_ = 0;
};

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

// The 256 bytes; byte 0, which no text has, stands between two texts.
TokenizerPtr bytes_tokenizer();

// The bytes, what the merges make, and a token that ends a text.
TokenizerPtr byte_pair_tokenizer(std::vector<PairMerge> merges);

// Encodes one text after another and remembers the words that it has met. For one thread.
class TextEncoder {
 public:
  explicit TextEncoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // Adds the tokens of a piece of text.
  void encode(std::string_view text, std::vector<int32_t>& into);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string, std::vector<int32_t>, Hash, std::equal_to<>> met_;
};

}  // namespace plimsoll
