#include "run/sweep/child_words.h"

namespace plimsoll {
namespace {

// As it is typed: a size needs its unit.
std::string text_of(const Row& row, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump() + (row.unit == "bytes" ? "B" : "");
}

// --mean=-0.5: in one word, as a value may begin with a dash.
void add_words(std::vector<std::string>& words, const Row& row, const Json& value) {
  const std::string flag = flag_of(row);
  if (value.is_boolean()) {
    words.push_back(flag);
  } else if (!value.is_array()) {
    words.push_back(flag + "=" + text_of(row, value));
  } else if (row.separator == 0) {
    for (const auto& entry : value) words.push_back(flag + "=" + text_of(row, entry));
  } else {
    std::string list;
    for (const auto& entry : value) list += (list.empty() ? "" : std::string(1, row.separator)) + text_of(row, entry);
    words.push_back(flag + "=" + list);
  }
}

template <class Wanted>
void add_changed(std::vector<std::string>& words, TrainRequest& request, Wanted wanted) {
  TrainRequest blank;
  const Fields mine = fields_of(request), usual = fields_of(blank);
  for (size_t i = 0; i < mine.all().size(); ++i) {
    const Field& field = mine.all()[i];
    if (field.row.positional || !wanted(field.row)) continue;
    if (const Json value = field.write(); value != usual.all()[i].first) add_words(words, field.row, value);
  }
}

}  // namespace

std::vector<std::string> words_of_training(TrainRequest request) {
  std::vector<std::string> words{"train", request.model.source.name, "--json"};
  add_changed(words, request, [](const Row&) { return true; });
  return words;
}

std::vector<std::string> words_of_resuming(TrainRequest request) {
  request.resume = true;
  std::vector<std::string> words{"train", "--json"};
  add_changed(words, request, [](const Row& row) { return row.resume != OnResume::same; });
  return words;
}

}  // namespace plimsoll
