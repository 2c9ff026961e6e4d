#include "run/data/text/text_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/strict_json.h"
#include "base/text.h"
#include "run/data/text/characters.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 1 << 20, kLongestPiece = 1 << 24;
constexpr size_t kMostFiles = 1'000'000;
constexpr std::string_view kSpaces = " \t\r\n\v\f";

bool is_lines(const std::string& path) { return path.ends_with(".jsonl"); }

Status check_text(std::string_view text, int64_t start) {
  const size_t wrong = first_not_text(text);
  if (wrong == std::string_view::npos) return {};
  const int64_t at = start + int64_t(wrong);
  if (text[wrong] == '\0')
    return user_error(fmt::format("is not text: byte {} is 0", with_commas(at)), "expected UTF-8 text");
  return user_error(fmt::format("is not UTF-8 text at byte {}", with_commas(at)),
                    "iconv -f latin1 -t utf-8 turns Latin-1 into it");
}

// Where text may be cut: before the last space that follows something else. 0: nowhere.
size_t last_cut(std::string_view text) {
  for (size_t at = text.size(); at-- > 1;)
    if (text[at] == ' ' && kSpaces.find(text[at - 1]) == std::string_view::npos &&
        static_cast<unsigned char>(text[at - 1]) < 0x80)
      return at;
  return 0;
}

// Reads a file in blocks; `use(text, start, over)` says how many bytes of it are done with.
Status each_block(const ByteSource& file,
                  const std::function<Result<size_t>(std::string_view text, int64_t start, bool over)>& use) {
  std::string text;
  int64_t start = 0;  // of the text in the file
  while (true) {
    const int64_t read = start + int64_t(text.size());
    const size_t kept = text.size(), more = size_t(std::min<int64_t>(int64_t(kBlock), file.size() - read));
    text.resize(kept + more);
    PLIM_TRY(file.read(read, std::span(text).subspan(kept)));
    const bool over = read + int64_t(more) == file.size();
    PLIM_ASSIGN(const size_t done, use(text, start, over));
    if (over) return {};
    text.erase(0, done);
    start += int64_t(done);
  }
}

Status each_text_piece(const ByteSource& file, const TextDocuments::Use& use) {
  return each_block(file, [&](std::string_view text, int64_t start, bool over) -> Result<size_t> {
    size_t end = over ? text.size() : last_cut(text);
    if (end == 0 && text.size() >= kLongestPiece) end = text.size() - unfinished_bytes(text);
    PLIM_TRY(check_text(text.substr(0, end), start));
    if (over && unfinished_bytes(text) > 0)
      return user_error("ends within a character, expected whole UTF-8 text", "is the file cut short?");
    if (end > 0 || over) PLIM_TRY(use(text.substr(0, end), over));
    return end;
  });
}

Result<std::string> text_of_line(std::string_view line) {
  PLIM_ASSIGN(const auto json, parse_strict_json(line));
  const auto text = json.is_object() ? json.find("text") : json.end();
  if (!json.is_object() || text == json.end() || !text->is_string())
    return user_error("has no \"text\", expected an object with one in each line");
  return text->get<std::string>();
}

Status each_line_of(const ByteSource& file, const TextDocuments::Use& use) {
  int64_t number = 0;
  return each_block(file, [&](std::string_view text, int64_t, bool over) -> Result<size_t> {
    size_t at = 0;
    while (at < text.size()) {
      size_t end = text.find('\n', at);
      if (end == std::string_view::npos && !over) break;
      end = std::min(end, text.size());
      const std::string_view line = text.substr(at, end - at);
      at = std::min(end + 1, text.size());
      ++number;
      if (line.find_first_not_of(kSpaces) == std::string_view::npos) continue;
      auto document = is_utf8(line) ? text_of_line(line) : user_error("is not UTF-8 text");
      if (!document.ok()) return std::move(document).error().in(fmt::format("line {}", with_commas(number)));
      std::replace(document->begin(), document->end(), '\0', ' ');  // byte 0 stands between texts
      PLIM_TRY(use(*document, true));
    }
    if (text.size() - at > kLongestPiece)
      return user_error(fmt::format("is longer than {}", human_bytes(Bytes(int64_t(kLongestPiece)))))
          .in(fmt::format("line {}", with_commas(number + 1)));
    return at;
  });
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!is_text_file(at->path().string()) || at->is_directory(error)) continue;
    names.push_back(at->path().string());
    if (names.size() > kMostFiles) return user_error(fmt::format("has more than {} files", with_commas(kMostFiles)));
  }
  if (error) return environment_error(fmt::format("cannot be read: {}", error.message()));
  if (names.empty()) return user_error("has no .txt or .jsonl files, expected texts");
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

bool is_text_file(const std::string& path) { return path.ends_with(".txt") || is_lines(path); }

Result<TextDocuments> TextDocuments::open(const std::string& path) {
  std::vector<std::string> names{path};
  std::error_code none;
  if (fs::is_directory(path, none)) {
    auto found = names_in(path);
    if (!found.ok()) return std::move(found).error().in(printable(path, 300));
    names = *std::move(found);
  }
  auto files = std::make_shared<std::vector<SourceFile>>();
  for (const auto& name : names) {
    PLIM_ASSIGN(SourceFile file, source_file(name, "text"));
    files->push_back(std::move(file));
  }
  TextDocuments documents;
  documents.files_ = std::move(files);
  if (documents.size() == Bytes(0)) return user_error("is empty, expected text").in(printable(path, 300));
  return documents;
}

Bytes TextDocuments::size() const {
  Bytes all;
  for (const auto& file : *files_) all += file.size;
  return all;
}

Status TextDocuments::each_piece(const Use& use) const {
  for (const auto& file : *files_) {
    if (file.size == Bytes(0)) continue;
    const auto read = [&]() -> Status {
      PLIM_ASSIGN(const auto source, open_regular_file(file.path, ".txt"));
      return is_lines(file.path) ? each_line_of(*source, use) : each_text_piece(*source, use);
    };
    auto status = read();
    if (!status.ok()) return std::move(status).error().in(printable(file.path, 300));
  }
  return {};
}

Result<uint64_t> TextDocuments::identity() const {
  uint64_t identity = 0;
  for (const auto& file : *files_) {
    PLIM_ASSIGN(const auto source, open_regular_file(file.path, ".txt"));
    PLIM_ASSIGN(const uint64_t content, content_identity(*source));
    identity = joined(identity, content);
  }
  return identity;
}

}  // namespace plimsoll
