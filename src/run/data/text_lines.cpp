#include "run/data/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "base/text.h"
#include "run/data/text_columns.h"

namespace plimsoll {
namespace {

constexpr int64_t kPadding = 0, kUnknown = 1, kFirstWord = 2;
constexpr int64_t kLongestLine = 1 << 20;
constexpr size_t kLongestWord = 64, kBlock = 1 << 18;

bool is_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

// Calls `use` with each word in lower case, until it says false. Words are cut after 64 bytes.
template <class Use>
void each_word(std::string_view text, const Use& use) {
  char word[kLongestWord];
  for (size_t at = 0; at < text.size();) {
    if (!is_word(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    size_t length = 0;
    for (; at < text.size() && is_word(static_cast<unsigned char>(text[at])); ++at) {
      const char c = text[at];
      if (length < kLongestWord) word[length++] = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    if (!use(std::string_view(word, length))) return;
  }
}

struct Place {
  int64_t start;
  int32_t length;
  int32_t label;
};

// Calls `use(line, start)` for every line that is not empty, without its end; reads the file once, in blocks.
Status each_line(const ByteSource& file, const std::function<Status(std::string_view, int64_t)>& use) {
  std::string kept;  // the beginning of a line whose end is in the next block
  std::vector<char> block(kBlock);
  int64_t start = 0;
  const auto finish = [&](std::string_view line) -> Status {
    const int64_t at = start;
    start += int64_t(line.size()) + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line.empty() ? Status() : use(line, at);
  };
  for (int64_t read = 0; read < file.size();) {
    const auto count = size_t(std::min<int64_t>(int64_t{kBlock}, file.size() - read));
    PLIM_TRY(file.read(read, std::span(block).first(count)));
    read += int64_t(count);
    std::string_view rest(block.data(), count);
    for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      kept += rest.substr(0, end);
      PLIM_TRY(finish(kept));
      kept.clear();
      rest.remove_prefix(end + 1);
    }
    kept += rest;
    if (int64_t(kept.size()) > kLongestLine)
      return user_error(fmt::format("has a line of more than {}", human_bytes(Bytes(kLongestLine))));
  }
  return finish(kept);
}

// What tells the columns: a thousand lines, or the first megabyte of them.
Result<TextColumns> find_columns(const ByteSource& file, const Vocabulary* trained) {
  constexpr size_t kLines = 1000;
  std::string head(size_t(std::min(kLongestLine, file.size())), '\0');
  PLIM_TRY(file.read(0, head));
  std::vector<std::string> lines;
  for (size_t at = 0; at < head.size() && lines.size() < kLines;) {
    size_t end = head.find('\n', at);
    if (end == std::string::npos && int64_t(head.size()) < file.size()) break;  // cut within the line
    end = std::min(end, head.size());
    std::string line = head.substr(at, end - at);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
    at = end + 1;
  }
  return columns_of(lines, trained ? trained->classes : std::vector<std::string>{});
}

Result<std::shared_ptr<Vocabulary>> learn(const ByteSource& file, const TextColumns& columns, int64_t most) {
  std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> counts;
  std::map<std::string, int64_t, std::less<>> classes;
  int64_t number = 0;
  PLIM_TRY(each_line(file, [&](std::string_view line, int64_t at) -> Status {
    if (at == 0 && columns.titled) return {};
    ++number;
    auto parsed = columns.read(line);
    if (!parsed.ok()) return std::move(parsed).error().in(fmt::format("sample {} at byte {}", number, at));
    ++classes[parsed->label];
    each_word(parsed->text, [&](std::string_view word) {
      const auto found = counts.find(word);
      if (found != counts.end()) ++found->second;
      else counts.emplace(word, 1);
      return true;
    });
    if (int64_t(classes.size()) > kMostClasses) return user_error("has more than 100,000 different labels");
    return {};
  }));
  std::vector<std::pair<int64_t, std::string_view>> order;
  for (const auto& [word, count] : counts) order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());  // by number, then by spelling: the same on every machine
  auto vocabulary = std::make_shared<Vocabulary>();
  for (const auto& [count, word] : order) {
    const int64_t token = kFirstWord + int64_t(vocabulary->words.size());
    if (token >= most) break;
    vocabulary->words.emplace(word, token);
  }
  for (const auto& [name, count] : classes) vocabulary->classes.push_back(name);
  return vocabulary;
}

class Lines : public Dataset {
 public:
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return int64_t(places_.size()); }
  Bytes scratch() const override { return scratch_for<char>(longest_); }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    const Place& place = places_[size_t(index)];
    label = place.label;
    const auto bytes = take<char>(scratch, longest_).first(size_t(place.length));
    auto status = file_->read(place.start, bytes);
    if (!status.ok()) return std::move(status).error().in(printable(info_.name, 300));
    const auto parsed = columns_.read({bytes.data(), bytes.size()});
    if (!parsed.ok()) return environment_error("was changed after it was opened").in(printable(info_.name, 300));
    const std::span<int64_t> tokens(reinterpret_cast<int64_t*>(input.data()), input.size() / sizeof(int64_t));
    tokenise(parsed->text, *vocabulary_, tokens);
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    std::transform(places_.begin(), places_.end(), into.begin(), [](const Place& place) { return place.label; });
    return {};
  }
  std::string describe(int64_t index) const override {
    return fmt::format("{}: byte {}", printable(info_.name, 300), places_[size_t(index)].start);
  }

  Status open(const std::string& path, const TextOptions& options) {
    info_.name = path;
    PLIM_ASSIGN(SourceFile source, source_file(path, "CSV"));
    info_.files = std::make_shared<std::vector<SourceFile>>(1, std::move(source));
    auto file = open_regular_file(path, "CSV");
    if (!file.ok()) return std::move(file).error();
    return read(*std::move(file), options);
  }
  Status read(std::unique_ptr<ByteSource> file, const TextOptions& options) {
    file_ = std::move(file);
    vocabulary_ = options.trained;
    PLIM_ASSIGN(columns_, find_columns(*file_, vocabulary_.get()));
    if (!vocabulary_) {
      PLIM_ASSIGN(vocabulary_, learn(*file_, columns_, options.vocabulary));
    }
    PLIM_TRY(find_lines());
    PLIM_ASSIGN(info_.identity, content_identity(*file_));
    info_.type = {{DType::i64, {options.length}}, int64_t(vocabulary_->classes.size())};
    info_.class_names = vocabulary_->classes;
    places_.shrink_to_fit();
    info_.memory = Bytes(int64_t(places_.size() * sizeof(Place))) + vocabulary_->memory();
    if (info_.type.classes == 1)
      info_.warnings.push_back(fmt::format("There is only one class, {}.", in_quotes(info_.class_names[0])));
    return {};
  }
  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }

 private:
  Status find_lines() {
    PLIM_TRY(each_line(*file_, [&](std::string_view line, int64_t at) -> Status {
      if (at == 0 && columns_.titled) return {};
      auto parsed = columns_.read(line);
      if (!parsed.ok())
        return std::move(parsed).error().in(fmt::format("sample {} at byte {}", places_.size() + 1, at));
      const auto& classes = vocabulary_->classes;
      const auto found = std::lower_bound(classes.begin(), classes.end(), parsed->label);
      if (found == classes.end() || *found != parsed->label)
        return user_error(
                   fmt::format("has the label {}, which the training text does not have", in_quotes(parsed->label)))
            .in(fmt::format("sample {} at byte {}", places_.size() + 1, at));
      places_.push_back({at, int32_t(line.size()), int32_t(found - classes.begin())});
      longest_ = std::max(longest_, int64_t(line.size()));
      return {};
    }));
    if (places_.empty()) return user_error("has no lines, expected a label and a text in each");
    return {};
  }

  DatasetInfo info_;
  std::unique_ptr<ByteSource> file_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  TextColumns columns_;
  std::vector<Place> places_;
  int64_t longest_ = 0;
};

Status check_text_options(const TextOptions& options) {
  if (options.length < 1 || options.length > kMostPixels || options.vocabulary < kFirstWord)
    return user_error(fmt::format("texts of {} tokens out of {} cannot be made", options.length, options.vocabulary));
  return {};
}

}  // namespace

void tokenise(std::string_view text, const Vocabulary& vocabulary, std::span<int64_t> tokens) {
  size_t count = 0;
  each_word(text, [&](std::string_view word) {
    if (count == tokens.size()) return false;
    const auto found = vocabulary.words.find(word);
    tokens[count++] = found == vocabulary.words.end() ? kUnknown : found->second;
    return true;
  });
  std::fill(tokens.begin() + long(count), tokens.end(), kPadding);
}

std::shared_ptr<const Vocabulary> vocabulary_of(const Dataset& dataset) {
  const auto* lines = dynamic_cast<const Lines*>(&dataset);
  return lines ? lines->vocabulary() : nullptr;
}

Bytes Vocabulary::memory() const {
  Bytes bytes(int64_t(words.bucket_count() * sizeof(void*)));
  for (const auto& [word, token] : words)
    bytes += Bytes(int64_t(sizeof(std::string) + word.capacity() + 3 * sizeof(void*)));
  return bytes;
}

Result<TextLines> read_text_lines(std::unique_ptr<ByteSource> file, const TextOptions& options) {
  PLIM_TRY(check_text_options(options));
  const auto lines = std::make_shared<Lines>();
  PLIM_TRY(lines->read(std::move(file), options));
  return TextLines{lines, lines->vocabulary()};
}

Result<TextLines> open_text_lines(const std::string& path, const TextOptions& options) {
  PLIM_TRY(check_text_options(options));
  const auto lines = std::make_shared<Lines>();
  auto status = lines->open(path, options);
  if (!status.ok()) {
    Error error = std::move(status).error();
    return error.where.starts_with(path) ? error : std::move(error).in(printable(path, 300));
  }
  return TextLines{lines, lines->vocabulary()};
}

}  // namespace plimsoll
