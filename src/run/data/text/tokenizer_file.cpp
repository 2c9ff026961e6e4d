#include "run/data/text/tokenizer_file.h"

#include <fmt/format.h>

#include <bitset>

#include "base/byte_source.h"
#include "base/size_text.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "run/data/text/byte_letters.h"

namespace plimsoll {
namespace {

using Document = nlohmann::ordered_json;

constexpr int64_t kLargestFile = 100'000'000;
constexpr int64_t kMostTokens = 10'000'000;
constexpr const char* kNamesOfEnd[] = {"<|endoftext|>", "<|end_of_text|>", "<|im_end|>", "</s>", "<eos>"};

const Document* part_of(const Document& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text_of(const Document* value) { return value && value->is_string() ? value->get<std::string>() : ""; }

bool is_true(const Document& object, const char* key) {
  const Document* value = part_of(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

std::string type_of(const Document* part) { return part ? text_of(part_of(*part, "type")) : ""; }

Error not_known(const std::string& what, std::string_view value) {
  return user_error(fmt::format("has {} {}, expected byte-level pairs as GPT-2, Llama 3 and Qwen have them", what,
                                plimsoll::in_quotes(value)),
                    "bpe:N learns a vocabulary from the text");
}

// Reads the parts of a document one after the other; each step finds what the ones before it left.
class TokenizerReader {
 public:
  explicit TokenizerReader(const Document& document) : document_(document) {}

  Result<TokenizerParts> read() {
    const Document* model = part_of(document_, "model");
    if (!model || !model->is_object()) return user_error("has no model, expected a tokenizer.json");
    // Files of old have no type: they have merges.
    if (const std::string type = type_of(model); type != "BPE" && !(type.empty() && part_of(*model, "merges")))
      return not_known("a model of the type", type);
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
      if (const std::string given = text_of(part_of(*model, key)); !given.empty()) return not_known(key, given);
    if (const std::string type = type_of(part_of(document_, "normalizer")); !type.empty() && type != "NFC")
      return not_known("a normalizer of the type", type);
    PLIM_TRY(read_pattern());
    parts_.whole_words = is_true(*model, "ignore_merges");
    PLIM_TRY(read_vocabulary(*model));
    PLIM_TRY(read_special());
    PLIM_TRY(read_merges(*model));
    PLIM_TRY(check_bytes());
    return std::move(parts_);
  }

 private:
  // A ByteLevel step with its own expression, or after a Split by one.
  Status read_pattern() {
    const Document* whole = part_of(document_, "pre_tokenizer");
    std::vector<const Document*> steps{whole};
    if (type_of(whole) == "Sequence") {
      steps.clear();
      const Document* list = part_of(*whole, "pretokenizers");
      if (list && list->is_array())
        for (const auto& step : *list) steps.push_back(&step);
    }
    bool split = false, bytes = false;
    for (const Document* step : steps) {
      const std::string type = type_of(step);
      if (type == "Split" && !split && !bytes) {
        PLIM_TRY(read_split(*step));
        split = true;
      } else if (type == "ByteLevel" && !bytes) {
        bytes = true;
        if (is_true(*step, "add_prefix_space")) return not_known("a pre_tokenizer with", "add_prefix_space");
        if (const Document* own = part_of(*step, "use_regex"); (!own || is_true(*step, "use_regex")) == split)
          return not_known("a pre_tokenizer of", split ? "two expressions" : "no expression");
      } else {
        return not_known("a pre_tokenizer of the type", type);
      }
    }
    if (!bytes) return not_known("a pre_tokenizer of the type", type_of(whole));
    return {};
  }

  Status read_split(const Document& step) {
    const Document* pattern = part_of(step, "pattern");
    const std::string expression = pattern ? text_of(part_of(*pattern, "Regex")) : "";
    const auto known = word_pattern(expression);
    if (!known || text_of(part_of(step, "behavior")) != "Isolated" || is_true(step, "invert"))
      return not_known("words cut by", expression);
    parts_.pattern = *known;
    return {};
  }

  Result<int64_t> number_of(const Document& value, std::string_view token) const {
    if (!value.is_number_integer() || value.get<int64_t>() < 0 || value.get<int64_t>() >= kMostTokens)
      return user_error(fmt::format("the token {} has the number {}, expected 0 to {}", plimsoll::in_quotes(token),
                                    printable(value.dump(), 40), kMostTokens - 1));
    return value.get<int64_t>();
  }

  // Numbers may have gaps, but not so many that the list is mostly empty.
  Status place(int64_t number, std::string bytes, std::string_view token) {
    if (number >= most_)
      return user_error(
          fmt::format("the token {} has the number {} of {} tokens", plimsoll::in_quotes(token), number, most_));
    if (size_t(number) >= parts_.tokens.size()) {
      parts_.tokens.resize(size_t(number) + 1);
      taken_.resize(size_t(number) + 1);
    }
    if (taken_[size_t(number)])
      return user_error(
          fmt::format("the number {} is that of two tokens, one is {}", number, plimsoll::in_quotes(token)));
    taken_[size_t(number)] = true;
    parts_.tokens[size_t(number)] = std::move(bytes);
    return {};
  }

  Status read_vocabulary(const Document& model) {
    const Document* vocabulary = part_of(model, "vocab");
    if (!vocabulary || !vocabulary->is_object() || vocabulary->empty())
      return user_error("has no vocabulary, expected model.vocab with a number for each token");
    const Document* added = part_of(document_, "added_tokens");
    most_ = std::min<int64_t>(kMostTokens, 2 * int64_t(vocabulary->size() + (added ? added->size() : 0)));
    numbers_.reserve(vocabulary->size());
    for (const auto& [token, value] : vocabulary->items()) {
      PLIM_ASSIGN(const int64_t number, number_of(value, token));
      auto bytes = bytes_of_letters(token);
      PLIM_TRY(place(number, bytes ? *std::move(bytes) : std::string(), token));  // else a special one
      numbers_.emplace(token, int32_t(number));
    }
    return {};
  }

  Status read_special() {
    const Document* added = part_of(document_, "added_tokens");
    if (!added) return {};
    if (!added->is_array()) return user_error("has added_tokens that are not a list");
    for (const auto& one : *added) {
      const std::string name = text_of(part_of(one, "content"));
      const Document* id = part_of(one, "id");
      if (name.empty() || !id) return user_error("has an added token without content or id");
      PLIM_ASSIGN(const int64_t number, number_of(*id, name));
      const auto known = numbers_.find(name);
      if (known != numbers_.end() && known->second != number)
        return user_error(
            fmt::format("the token {} has two numbers, {} and {}", plimsoll::in_quotes(name), known->second, number));
      if (known == numbers_.end()) PLIM_TRY(place(number, {}, name));
      parts_.tokens[size_t(number)].clear();
      parts_.special.emplace_back(number, name);
    }
    for (const char* end : kNamesOfEnd)
      for (const auto& [number, name] : parts_.special)
        if (!parts_.end_of_text && name == end) parts_.end_of_text = number;
    return {};
  }

  Status read_merges(const Document& model) {
    const Document* merges = part_of(model, "merges");
    if (!merges || !merges->is_array()) return user_error("has no list of merges");
    parts_.merges.reserve(merges->size());
    for (const auto& merge : *merges) {
      std::string left, right;
      if (merge.is_array() && merge.size() == 2) {
        left = text_of(&merge[0]);
        right = text_of(&merge[1]);
      } else if (merge.is_string()) {
        const auto& both = merge.get_ref<const std::string&>();
        const size_t space = both.find(' ');
        left = both.substr(0, space);
        right = space == std::string::npos ? "" : both.substr(space + 1);
      }
      const auto a = numbers_.find(left), b = numbers_.find(right), made = numbers_.find(left + right);
      if (left.empty() || right.empty() || a == numbers_.end() || b == numbers_.end() || made == numbers_.end())
        return user_error(fmt::format("merge {} is {}, expected two tokens that are one together",
                                      parts_.merges.size() + 1, printable(merge.dump(), 80)));
      parts_.merges.push_back({a->second, b->second, made->second});
    }
    return {};
  }

  Status check_bytes() const {
    std::bitset<256> there;
    for (const auto& token : parts_.tokens)
      if (token.size() == 1) there.set(static_cast<unsigned char>(token[0]));
    for (size_t byte = 0; byte < there.size(); ++byte)
      if (!there[byte])
        return user_error(
            fmt::format("has no token for the byte 0x{:02x}, so not every text can be written with it", byte));
    return {};
  }

  const Document& document_;
  TokenizerParts parts_;
  int64_t most_ = 0;
  std::vector<bool> taken_;
  std::unordered_map<std::string, int32_t> numbers_;
};

Document byte_level(bool expression) {
  return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", expression}};
}

Document pre_tokenizer_of(WordPattern pattern) {
  if (pattern == WordPattern::gpt2) return byte_level(true);
  Document split{
      {"type", "Split"}, {"pattern", {{"Regex", expression_of(pattern)}}}, {"behavior", "Isolated"}, {"invert", false}};
  return {{"type", "Sequence"}, {"pretokenizers", {std::move(split), byte_level(false)}}};
}

Document model_of(const TokenizerParts& parts) {
  Document vocabulary = Document::object(), merges = Document::array();
  auto& entries = vocabulary.get_ref<Document::object_t&>();
  for (size_t i = 0; i < parts.tokens.size(); ++i)  // at the end, without a search: no two are equal
    if (!parts.tokens[i].empty()) entries.emplace_back(letters_of_bytes(parts.tokens[i]), i);
  for (const auto& merge : parts.merges)
    merges.push_back(letters_of_bytes(parts.tokens[size_t(merge.left)]) + " " +
                     letters_of_bytes(parts.tokens[size_t(merge.right)]));
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"ignore_merges", parts.whole_words},
          {"vocab", std::move(vocabulary)},
          {"merges", std::move(merges)}};
}

}  // namespace

Result<TokenizerPtr> parse_tokenizer(std::string_view text) {
  if (int64_t(text.size()) > kLargestFile)
    return user_error(fmt::format("is {}, expected a tokenizer.json of at most {}",
                                  human_bytes(Bytes(int64_t(text.size()))), human_bytes(Bytes(kLargestFile))));
  if (!is_utf8(text)) return user_error("is not UTF-8 text, expected JSON");
  PLIM_ASSIGN(const Document document, parse_strict_json(text));
  if (!document.is_object()) return user_error("is not a JSON object, expected a tokenizer.json");
  PLIM_ASSIGN(TokenizerParts parts, TokenizerReader(document).read());
  parts.source = text;
  // A file of bytes alone, as bytes_tokenizer() is written: byte 0 stands between two texts.
  if (!parts.end_of_text && parts.merges.empty() && parts.tokens.size() == 256) parts.end_of_text = 0;
  return TokenizerPtr(std::make_shared<const Tokenizer>(std::move(parts)));
}

Result<TokenizerPtr> read_tokenizer(const std::string& path) {
  const auto read = [&]() -> Result<TokenizerPtr> {
    PLIM_ASSIGN(const auto file, open_regular_file(path, ".json"));
    if (file->size() > kLargestFile)
      return user_error(fmt::format("is {}, expected a tokenizer.json of at most {}", human_bytes(Bytes(file->size())),
                                    human_bytes(Bytes(kLargestFile))));
    std::string text(size_t(file->size()), '\0');
    PLIM_TRY(file->read(0, text));
    return parse_tokenizer(text);
  };
  auto tokenizer = read();
  if (!tokenizer.ok()) return std::move(tokenizer).error().in(printable(path, 300));
  return tokenizer;
}

std::string tokenizer_text(const Tokenizer& tokenizer) {
  const TokenizerParts& parts = tokenizer.parts();
  if (!parts.source.empty()) return parts.source;
  Document special = Document::array();
  for (const auto& [number, name] : parts.special)
    special.push_back({{"id", number},
                       {"content", name},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", true}});
  const Document document{{"version", "1.0"},          {"truncation", nullptr},
                          {"padding", nullptr},        {"added_tokens", std::move(special)},
                          {"normalizer", nullptr},     {"pre_tokenizer", pre_tokenizer_of(parts.pattern)},
                          {"post_processor", nullptr}, {"decoder", byte_level(true)},
                          {"model", model_of(parts)}};
  return document.dump(1) + "\n";
}

}  // namespace plimsoll
