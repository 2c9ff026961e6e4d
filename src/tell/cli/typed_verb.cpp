#include "tell/cli/typed_verb.h"

#include <cstdio>

#include "base/rows/named.h"
#include "base/write_file.h"
#include "plan/ask/model_request.h"
#include "tell/cli/print_aside.h"

namespace plimsoll {

std::string file_among(const Fields& fields) {
  for (const auto& field : fields.all()) {
    if (!field.row.positional) continue;
    const Json value = field.write();
    for (const auto& name : value.is_array() ? value : Json::array({value}))
      if (name.is_string() && is_file_name(name.get<std::string>())) return name.get<std::string>();
  }
  return {};
}

void print_text(const std::string& text) {
  const std::string said = spoken(text, Door::command_line);
  std::fwrite(said.data(), 1, said.size(), stdout);
}

void print_document(Json document) {
  const std::string text = json_text(spoken_document(std::move(document), Door::command_line));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::function<void(const std::string& line)> progress_lines(const OutputFlags& output) {
  return [quiet = output.quiet](const std::string& line) {
    if (!quiet) print_aside("{}\n", spoken(line, Door::command_line));
  };
}

Status write_plot(const OutputFlags& output, const std::function<std::string()>& svg) {
  if (!output.plot) return {};
  PLIM_TRY(write_whole_file(*output.plot, svg()));
  progress_lines(output)(fmt::format("Drawn in {}.", printable(*output.plot)));
  return {};
}

std::string shown(const Table& table, const OutputFlags& output) {
  return output.csv ? table.csv() : output.markdown ? table.markdown() : table.text();
}

}  // namespace plimsoll
