#include "run/data/text/tokenizer_choice.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "run/data/text/learn_byte_pairs.h"
#include "run/data/text/tokenizer_file.h"

namespace plimsoll {
namespace {

constexpr std::string_view kPairs = "bpe:", kBytesName = "bytes";
constexpr int64_t kFewestTokens = 257, kMostLearnt = 1'000'000;  // 256 bytes and the end of a text

Result<TokenizerPtr> learn_tokenizer(int64_t vocabulary, const TextDocuments& documents,
                                     const std::function<void(const std::string&)>& say) {
  say(fmt::format("learning a vocabulary of {} byte pairs from {} of text", with_commas(vocabulary),
                  human_bytes(documents.size())));
  WordCounts counts;
  PLIM_TRY(documents.each_piece([&](std::string_view piece, bool) -> Status {
    Words words(piece, WordPattern::gpt2);
    while (const auto word = words.next()) counts.add(*word);
    return {};
  }));
  TokenizerPtr learnt = byte_pair_tokenizer(learn_merges(counts, vocabulary - kFewestTokens));
  if (learnt->size() < vocabulary)
    say(fmt::format("the text gives a vocabulary of {} tokens only: no further pair occurs twice",
                    with_commas(learnt->size())));
  return learnt;
}

}  // namespace

std::string TokenizerChoice::text() const {
  if (kind == Kind::bytes) return std::string(kBytesName);
  return kind == Kind::pairs ? fmt::format("{}{}", kPairs, vocabulary) : path;
}

Result<TokenizerChoice> Form<TokenizerChoice>::parse(const Row&, const std::string& called, const std::string& text) {
  TokenizerChoice choice;
  if (text == kBytesName) {
    choice.kind = TokenizerChoice::Kind::bytes;
    return choice;
  }
  if (text.starts_with(kPairs)) {
    PLIM_ASSIGN(choice.vocabulary, parse_integer(called, text.substr(kPairs.size()), kFewestTokens, kMostLearnt));
    return choice;
  }
  std::error_code none;
  if (!text.ends_with(".json") && !std::filesystem::exists(text, none))
    return user_error(
        fmt::format("{} is {}, expected bytes, bpe:N or the path of a tokenizer.json", called, in_quotes(text)),
        "for example bpe:4096");
  choice.kind = TokenizerChoice::Kind::file;
  choice.path = std::filesystem::is_directory(text, none) ? fmt::format("{}/{}", text, kTokenizerFile) : text;
  return choice;
}

Result<TokenizerPtr> make_tokenizer(const TokenizerChoice& choice, const TextDocuments& documents,
                                    const std::function<void(const std::string&)>& say) {
  switch (choice.kind) {
    case TokenizerChoice::Kind::bytes: return bytes_tokenizer();
    case TokenizerChoice::Kind::file: return read_tokenizer(choice.path);
    case TokenizerChoice::Kind::pairs: break;
  }
  return learn_tokenizer(choice.vocabulary, documents, say);
}

}  // namespace plimsoll
