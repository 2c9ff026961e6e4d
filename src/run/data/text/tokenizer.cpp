#include "run/data/text/tokenizer.h"

#include "run/data/source_file.h"

namespace plimsoll {
namespace {

constexpr size_t kMostRemembered = 1 << 17, kLongestRemembered = 32;  // words of a TextEncoder, and their bytes
constexpr size_t kBytes = 256;
constexpr const char* kEndOfText = "<|endoftext|>";

std::vector<std::string> single_bytes() {
  std::vector<std::string> tokens;
  for (size_t byte = 0; byte < kBytes; ++byte) tokens.emplace_back(1, char(byte));
  return tokens;
}

uint64_t identity_of(const TokenizerParts& parts) {
  uint64_t identity = joined(parts.tokens.size(), uint64_t(parts.pattern));
  for (const auto& token : parts.tokens) identity = joined(identity, token);
  for (const auto& merge : parts.merges) identity = joined(identity, pair_key(merge.left, merge.right));
  for (const auto& [number, name] : parts.special) identity = joined(joined(identity, uint64_t(number)), name);
  return joined(joined(identity, uint64_t(parts.end_of_text.value_or(-1))), uint64_t(parts.whole_words));
}

}  // namespace

Tokenizer::Tokenizer(TokenizerParts parts) : parts_(std::move(parts)), identity_(identity_of(parts_)) {
  std::array<int32_t, kBytes> bytes{};
  for (size_t i = parts_.tokens.size(); i-- > 0;) {
    const std::string& token = parts_.tokens[i];
    if (token.size() == 1) bytes[static_cast<unsigned char>(token[0])] = int32_t(i);
    if (parts_.whole_words && !token.empty()) whole_[token] = int32_t(i);
  }
  pairs_ = BytePairs(bytes, parts_.merges);
}

Bytes Tokenizer::memory() const {
  size_t bytes = parts_.source.capacity() + parts_.tokens.capacity() * sizeof(std::string) +
                 parts_.merges.capacity() * sizeof(PairMerge);
  bytes += (parts_.merges.size() + whole_.size()) * 4 * sizeof(void*);  // of the tables
  for (const auto& token : parts_.tokens)
    if (token.capacity() > std::string().capacity()) bytes += token.capacity();
  return Bytes(int64_t(bytes));
}

void Tokenizer::encode_word(std::string_view word, std::vector<int32_t>& into) const {
  if (const auto found = whole_.find(word); found != whole_.end()) return into.push_back(found->second);
  pairs_.encode(word, into);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<int32_t> tokens;
  TextEncoder(*this).encode(text, tokens);
  return tokens;
}

std::string_view Tokenizer::bytes_of(int64_t token) const {
  if (token < 0 || token >= size()) return {};
  return parts_.tokens[size_t(token)];
}

TokenizerPtr bytes_tokenizer() {
  TokenizerParts parts;
  parts.tokens = single_bytes();
  parts.end_of_text = 0;
  return std::make_shared<const Tokenizer>(std::move(parts));
}

TokenizerPtr byte_pair_tokenizer(std::vector<PairMerge> merges) {
  TokenizerParts parts;
  parts.tokens = single_bytes();
  for (const auto& merge : merges)
    parts.tokens.push_back(parts.tokens[size_t(merge.left)] + parts.tokens[size_t(merge.right)]);
  parts.merges = std::move(merges);
  parts.end_of_text = int64_t(parts.tokens.size());
  parts.special.emplace_back(*parts.end_of_text, kEndOfText);
  parts.tokens.emplace_back();
  return std::make_shared<const Tokenizer>(std::move(parts));
}

void TextEncoder::encode(std::string_view text, std::vector<int32_t>& into) {
  Words words(text, tokenizer_.parts().pattern);
  while (const auto word = words.next()) {
    if (word->size() > kLongestRemembered) {
      tokenizer_.encode_word(*word, into);
      continue;
    }
    auto found = met_.find(*word);
    if (found == met_.end()) {
      if (met_.size() >= kMostRemembered) met_.clear();
      std::vector<int32_t> tokens;
      tokenizer_.encode_word(*word, tokens);
      found = met_.emplace(*word, std::move(tokens)).first;
    }
    into.insert(into.end(), found->second.begin(), found->second.end());
  }
}

}  // namespace plimsoll
