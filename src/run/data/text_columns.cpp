#include "run/data/text_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

namespace plimsoll {
namespace {

constexpr std::string_view kLabelTitles[] = {"label", "labels", "class", "category", "target", "sentiment", "y"};
constexpr std::string_view kTextTitles[] = {"text", "sentence", "review", "content", "message", "comment", "x"};
constexpr size_t kLongestLabel = 200;

std::string unquoted(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  std::string text;
  for (size_t at = 1; at + 1 < field.size(); ++at) {
    text += field[at];
    if (field[at] == '"' && field[at + 1] == '"' && at + 2 < field.size()) ++at;
  }
  return text;
}

std::string title_of(std::string_view field) {
  std::string title = unquoted(field);
  if (title.starts_with("\xEF\xBB\xBF")) title.erase(0, 3);  // the mark that some programs write first
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c); });
  return title;
}

std::optional<size_t> column_titled(const std::vector<std::string>& titles, std::span<const std::string_view> wanted) {
  for (const auto name : wanted)
    if (const auto found = std::find(titles.begin(), titles.end(), name); found != titles.end())
      return size_t(found - titles.begin());
  return std::nullopt;
}

// "label" and "text" stand in the first line, as columns.
std::optional<TextColumns> by_titles(const std::string& line) {
  std::vector<std::string> titles;
  for (const auto field : csv_fields(line)) titles.push_back(title_of(field));
  const auto label = column_titled(titles, kLabelTitles), text = column_titled(titles, kTextTitles);
  if (!label || !text) return std::nullopt;
  return TextColumns{true, *label, *text, titles.size()};
}

bool label_is_last(const std::vector<std::string>& lines, const std::vector<std::string>& classes) {
  std::set<std::string> first, last;
  size_t first_bytes = 0, last_bytes = 0;
  for (const auto& line : lines) {
    const auto fields = csv_fields(line);
    if (fields.size() != 2) return false;
    first_bytes += fields.front().size();
    last_bytes += fields.back().size();
    first.insert(unquoted(fields.front()));
    last.insert(unquoted(fields.back()));
  }
  const auto known = [&](const std::set<std::string>& values) {
    return std::all_of(values.begin(), values.end(),
                       [&](const auto& value) { return std::binary_search(classes.begin(), classes.end(), value); });
  };
  if (!classes.empty()) return !known(first) && known(last);
  return last.size() * 2 <= first.size() && last_bytes < first_bytes;
}

}  // namespace

std::vector<std::string_view> csv_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  size_t start = 0;
  bool quoted = false;
  for (size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"' && (quoted || at == start)) quoted = !quoted;
    if (line[at] != ',' || quoted) continue;
    fields.push_back(line.substr(start, at - start));
    start = at + 1;
  }
  fields.push_back(line.substr(start));
  return fields;
}

TextColumns columns_of(const std::vector<std::string>& first_lines, const std::vector<std::string>& classes) {
  if (first_lines.empty()) return {};
  if (const auto titled = by_titles(first_lines[0])) return *titled;
  return label_is_last(first_lines, classes) ? TextColumns{false, 1, 0, 2} : TextColumns{};
}

Result<LabelledText> TextColumns::read(std::string_view line) const {
  const auto fields = csv_fields(line);
  if (fields.size() < 2) return user_error("has no comma, expected a label and a text");
  if (fields.size() < count)
    return user_error(fmt::format("has {} fields, expected {} as in the titles", fields.size(), count));
  LabelledText parsed;
  // A text without quotes may have commas of its own, where it is the last or the first column.
  const size_t more = fields.size() - count;
  if (more > 0 && text + 1 != count && text != 0)
    return user_error(fmt::format("has {} fields, expected {}; a text with commas needs quotes", fields.size(), count));
  const size_t from = text, to = text + more;
  const size_t begin = size_t(fields[from].data() - line.data());
  parsed.text = line.substr(begin, size_t(fields[to].data() - line.data()) + fields[to].size() - begin);
  parsed.label = unquoted(fields[label > text ? label + more : label]);
  if (parsed.label.empty()) return user_error("has no label, expected a label and a text");
  if (parsed.label.size() > kLongestLabel) return user_error("has a label of more than 200 bytes");
  return parsed;
}

}  // namespace plimsoll
