#include "tell/cli/request_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/rows/named.h"

namespace plimsoll {

struct RequestFlags::Typed {
  std::string word;                // of a field that has one
  std::vector<std::string> words;  // of a list whose entries are given one by one
  bool flag = false;
  CLI::Option* option = nullptr;
};

namespace {

constexpr size_t kHelpColumns = 86;  // beside the flag's name

// CLI11 indents what stands after a newline.
std::string wrapped(const std::string& text) {
  std::string lines;
  size_t column = 0;
  for (const auto& word : split(text, ' ')) {
    const bool fits = column == 0 || column + 1 + word.size() <= kHelpColumns;
    lines += column == 0 ? "" : fits ? " " : "\n";
    column = (fits && column > 0 ? column + 1 : 0) + word.size();
    lines += word;
  }
  return lines;
}

std::string help_of(const Field& field) {
  const std::string rest = field.is_flag ? "" : field.default_text();
  return wrapped(spoken(field.row.help + (rest.empty() ? "" : " " + rest), Door::command_line));
}

std::string names_of(const Row& row) {
  if (row.positional) return flag_of(row);
  std::string names;
  for (const auto& alias : row.aliases)
    if (alias.size() == 1) names += "-" + alias + ",";
  return names + flag_of(row);
}

CLI::Option* declare(CLI::App& app, const Field& field, std::string& word, std::vector<std::string>& words,
                     bool& flag) {
  const Row& row = field.row;
  if (field.is_flag) return app.add_flag(names_of(row), flag, help_of(field));
  if (field.is_list && row.separator == 0) return app.add_option(names_of(row), words, help_of(field));
  CLI::Option* option = app.add_option(names_of(row), word, help_of(field));
  if (!row.bare.empty()) option->expected(0, 1)->default_str(row.bare);
  return option;
}

}  // namespace

void describe_verb(CLI::App& app, const std::string& description, const std::string& footer) {
  app.description(description);
  app.footer(footer);
}

RequestFlags::RequestFlags(CLI::App& app, Fields fields) : fields_(std::move(fields)) {
  std::stable_sort(fields_.all().begin(), fields_.all().end(),
                   [](const Field& a, const Field& b) { return a.row.subject < b.row.subject; });
  for (const auto& field : fields_.all()) {
    auto typed = std::make_unique<Typed>();
    typed->option = declare(app, field, typed->word, typed->words, typed->flag);
    if (!field.row.value.empty()) typed->option->type_name(field.row.value);
    else if (field.row.positional) typed->option->type_name("");
    if (field.row.required) typed->option->required();
    if (field.row.hidden) typed->option->group("");
    else if (!field.row.positional) typed->option->group(std::string(heading_of(field.row.subject)));
    typed_.push_back(std::move(typed));
  }
}

RequestFlags::~RequestFlags() = default;

Status RequestFlags::read() {
  for (size_t i = 0; i < typed_.size(); ++i) {
    const Typed& typed = *typed_[i];
    Field& field = fields_.all()[i];
    if (typed.option->count() == 0) continue;
    field.given = true;
    std::vector<std::string> words = typed.words;
    if (words.empty()) words.push_back(field.is_flag ? "true" : typed.word);
    if (field.is_list) PLIM_TRY(field.read(field.row.name, Json::array()));  // typed ones replace the default
    for (const auto& word : words) PLIM_TRY(field.parse(flag_of(field.row), word));
  }
  return {};
}

std::vector<std::string> RequestFlags::given() const {
  std::vector<std::string> names;
  for (const auto& field : fields_.all())
    if (field.given) names.push_back(field.row.name);
  return names;
}

}  // namespace plimsoll
