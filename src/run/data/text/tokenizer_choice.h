// TokenizerChoice: which tokenizer a text is read with: bytes, byte pairs that are learnt from it (bpe:N), or a
// tokenizer.json.
#pragma once

#include <functional>

#include "base/rows/form.h"
#include "run/data/text/text_documents.h"
#include "run/data/text/tokenizer.h"

namespace plimsoll {

inline constexpr int64_t kUsualVocabulary = 4096;

struct TokenizerChoice {
  enum class Kind { bytes, pairs, file };
  Kind kind = Kind::pairs;
  int64_t vocabulary = kUsualVocabulary;  // of pairs: bytes, merges and the end of a text
  std::string path;                       // of a file

  std::string text() const;  // as it is written on the command line
};

template <>
struct Form<TokenizerChoice> : TextForm<TokenizerChoice> {
  static Result<TokenizerChoice> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const TokenizerChoice& value) { return value.text(); }
};

// `documents`: the text to learn from. `say` is told what takes time or comes out otherwise than asked.
Result<TokenizerPtr> make_tokenizer(const TokenizerChoice& choice, const TextDocuments& documents,
                                    const std::function<void(const std::string&)>& say);

}  // namespace plimsoll
