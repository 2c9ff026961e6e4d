// tokenizer.json as Hugging Face's tokenizers read and write it, of the byte-level kind that GPT-2, Llama 3 and Qwen
// have. The text is a stranger's: sizes and nesting are bounded, numbers are checked.
#pragma once

#include "base/result.h"
#include "run/data/text/tokenizer.h"

namespace plimsoll {

inline constexpr std::string_view kTokenizerFile = "tokenizer.json";

Result<TokenizerPtr> parse_tokenizer(std::string_view text);
Result<TokenizerPtr> read_tokenizer(const std::string& path);  // errors have the path

// The file's text: that of a given one as it was.
std::string tokenizer_text(const Tokenizer& tokenizer);

}  // namespace plimsoll
