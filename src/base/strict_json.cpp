#include "base/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text.h"

namespace plimsoll {
namespace {

using Document = nlohmann::ordered_json;

constexpr size_t kDeepest = 16;

// Builds the document from the parser's events. An open container is always the last child of the one
// before it, so the pointers stay good while it grows.
class Builder : public nlohmann::json_sax<Document> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return fail(user_error("holds binary data, expected JSON")); }
  bool start_object(size_t) override { return open(Document::object()); }
  bool start_array(size_t) override { return open(Document::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    if (!keys_.back().insert(key).second)
      return fail(user_error(fmt::format("the key {} appears twice, expected once", plimsoll::in_quotes(key))));
    key_ = std::move(key);
    return true;
  }

  bool parse_error(size_t position, const std::string& last_token, const nlohmann::detail::exception&) override {
    const auto before = text_.substr(0, std::min(position > 0 ? position - 1 : 0, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    const bool ended = position > text_.size();
    return fail(user_error(fmt::format("line {}, column {}: found {}, expected JSON", line, column,
                                       ended ? "the end of the file" : plimsoll::in_quotes(last_token)),
                           "no comments, no NaN, no comma before a closing bracket"));
  }

  Result<Document> result() && {
    if (error_) return *std::move(error_);
    return std::move(root_);
  }

 private:
  Document* place(Document value) {
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    // At the end without a search: a table of labels has many thousand keys, all of which keys_ has seen to be new.
    auto& object = open_.back()->get_ref<Document::object_t&>();
    object.emplace_back(std::move(key_), std::move(value));
    return &object.back().second;
  }

  bool add(Document value) {
    place(std::move(value));
    return true;
  }

  bool open(Document value) {
    if (open_.size() == kDeepest)
      return fail(user_error(fmt::format("is nested deeper than {} levels, expected a flat description", kDeepest)));
    open_.push_back(place(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  std::string_view text_;
  Document root_;
  std::vector<Document*> open_;
  std::vector<std::unordered_set<std::string>> keys_;  // of each open container
  std::string key_;
  std::optional<Error> error_;
};

}  // namespace

Result<Document> parse_strict_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return user_error("starts with a byte order mark, expected plain UTF-8", "save it as UTF-8 without BOM");
  Builder builder(text);
  Document::sax_parse(text, &builder);
  return std::move(builder).result();
}

}  // namespace plimsoll
