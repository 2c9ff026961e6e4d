#include "run/data/text/token_sequences.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rows/named.h"
#include "base/text.h"
#include "run/data/text/token_list.h"

namespace plimsoll {
namespace {

class TokenSequences : public Dataset {
 public:
  TokenSequences(std::string path, const TextDocuments& documents, TokenizerPtr tokenizer, int64_t length)
      : tokenizer_(std::move(tokenizer)), tokens_(tokenizer_->size()), length_(length) {
    info_.name = std::move(path);
    info_.type = {{DType::i64, Shape{length + 1}}, tokenizer_->size()};
    info_.files = documents.files();
  }

  Status read(const TextDocuments& documents) {
    PLIM_ASSIGN(const uint64_t content, documents.identity());
    info_.identity = joined(joined(content, tokenizer_->identity()), uint64_t(length_));
    TextEncoder encoder(*tokenizer_);
    std::vector<int32_t> tokens;
    PLIM_TRY(documents.each_piece([&](std::string_view piece, bool last) -> Status {
      tokens.clear();
      encoder.encode(piece, tokens);
      if (last && tokenizer_->end_of_text()) tokens.push_back(int32_t(*tokenizer_->end_of_text()));
      tokens_.add(tokens);
      return {};
    }));
    info_.memory = tokens_.memory() + tokenizer_->memory();
    if (size() > kLargestSet) return user_error("has more sequences than a set may have");
    if (size() > 0) return {};
    return user_error(
        fmt::format("has {} tokens, fewer than one sequence of {}", with_commas(tokens_.size()), with_commas(length_)),
        fmt::format("choose a shorter {}", named("sequence")));
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return std::max<int64_t>(tokens_.size() - 1, 0) / length_; }
  const TokenizerPtr& tokenizer() const { return tokenizer_; }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label, std::span<std::byte>) const override {
    label = 0;
    tokens_.copy(index * length_, {reinterpret_cast<int64_t*>(input.data()), size_t(length_) + 1});
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    std::fill(into.begin(), into.end(), 0);
    return {};
  }
  std::string describe(int64_t index) const override {
    return fmt::format("tokens from {} on of {}", with_commas(index * length_), printable(info_.name, 200));
  }

 private:
  DatasetInfo info_;
  TokenizerPtr tokenizer_;
  TokenList tokens_;
  int64_t length_;
};

}  // namespace

Result<DatasetPtr> token_sequences(const std::string& path, const TextDocuments& documents,
                                   const TokenizerPtr& tokenizer, int64_t length) {
  if (length < 1 || length > kLargestSet)
    return user_error(fmt::format("sequences of {} tokens cannot be made", length));
  const auto sequences = std::make_shared<TokenSequences>(path, documents, tokenizer, length);
  auto status = sequences->read(documents);
  if (status.ok()) return DatasetPtr(sequences);
  Error error = std::move(status).error();
  return error.where.empty() ? std::move(error).in(printable(path, 300)) : error;
}

TokenizerPtr tokenizer_of(const Dataset& dataset) {
  const auto* sequences = dynamic_cast<const TokenSequences*>(&dataset);
  return sequences ? sequences->tokenizer() : nullptr;
}

}  // namespace plimsoll
