// Texts with a label, a line each: "label,text" or as the titles say (text_columns.h). As the tokens that a
// text network takes: words in lower case, each by its number in the vocabulary.
//
// Token 0 fills up short texts, token 1 is any word that the vocabulary does not have, then come the words of the
// training text, most frequent first. Texts are cut to the network's length.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "run/data/dataset.h"

namespace plimsoll {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

// Of the training text; other parts are read with the same.
struct Vocabulary {
  std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> words;
  std::vector<std::string> classes;  // in the order of their names
  Bytes memory() const;
};

// The tokens of a text, as many as there is room for, filled up with padding.
void tokenise(std::string_view text, const Vocabulary& vocabulary, std::span<int64_t> tokens);

struct TextOptions {
  int64_t length = 64;                        // tokens of a sample
  int64_t vocabulary = 20'000;                // tokens that the network knows
  std::shared_ptr<const Vocabulary> trained;  // of the training text; made from this one when absent
};

struct TextLines {
  DatasetPtr dataset;
  std::shared_ptr<const Vocabulary> vocabulary;
};

// Of a set of texts; nullptr for every other.
std::shared_ptr<const Vocabulary> vocabulary_of(const Dataset& dataset);

Result<TextLines> open_text_lines(const std::string& path, const TextOptions& options);
// The same of a file's bytes, which have no name.
Result<TextLines> read_text_lines(std::unique_ptr<ByteSource> file, const TextOptions& options);

}  // namespace plimsoll
