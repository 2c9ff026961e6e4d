#include "run/data/text/language_parts.h"

#include <filesystem>

#include "run/data/text/token_sequences.h"

namespace plimsoll {
namespace {

// The first of these names that is there, with either ending; empty: none is.
std::string text_part(const std::string& folder, std::initializer_list<const char*> names) {
  std::error_code none;
  for (const char* name : names)
    for (const char* ending : {".txt", ".jsonl"})
      if (std::string path = folder + "/" + name + ending; std::filesystem::is_regular_file(path, none)) return path;
  return {};
}

}  // namespace

Result<DataParts> open_language_parts(const std::string& path, const DataRequest& request) {
  PLIM_CHECK(request.input && request.input->shape.rank() == 1, "a language model without a sequence");
  const int64_t length = request.input->shape[0];
  const std::string own = text_part(path, {"train"});
  const std::string training = own.empty() ? path : own;
  PLIM_ASSIGN(const TextDocuments documents, TextDocuments::open(training));
  DataParts parts;
  PLIM_ASSIGN(parts.tokenizer, make_tokenizer(request.tokenizer, documents, [&](const std::string& what) {
                if (request.progress) request.progress(what);
              }));
  PLIM_ASSIGN(parts.train, token_sequences(training, documents, parts.tokenizer, length));
  const auto open_part = [&](const std::string& file, DatasetPtr& part) -> Status {
    if (file.empty()) return {};
    PLIM_ASSIGN(const TextDocuments texts, TextDocuments::open(file));
    PLIM_ASSIGN(part, token_sequences(file, texts, parts.tokenizer, length));
    return {};
  };
  if (own.empty()) return parts;
  PLIM_TRY(open_part(text_part(path, {"validation", "val", "valid"}), parts.validation));
  PLIM_TRY(open_part(text_part(path, {"test"}), parts.test));
  return parts;
}

}  // namespace plimsoll
