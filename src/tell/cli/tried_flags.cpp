#include "tell/cli/tried_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/rows/row.h"
#include "base/rows/tried_names.h"
#include "base/text.h"

namespace plimsoll {
namespace {

const TriedName* tried_flag(const std::string& flag) {
  std::string name = flag.starts_with("--") ? flag.substr(2) : "";
  std::replace(name.begin(), name.end(), '-', '_');
  return tried_name(name);
}

}  // namespace

std::string meant_by_flag(const std::string& flag, const std::vector<std::string>& known) {
  const TriedName* tried = tried_flag(flag);
  if (!tried) return did_you_mean(flag, known);
  const std::string ours = flag_named(tried->field);
  if (std::find(known.begin(), known.end(), ours) == known.end()) return "nothing of the kind is planned here";
  return fmt::format("did you mean {}{}{}?", ours, tried->value.empty() ? "" : " ", tried->value);
}

std::vector<std::string> as_meant(const std::vector<std::string>& words, const CLI::App& verb) {
  std::vector<std::string> meant;
  for (const auto& word : words) {
    const size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    const TriedName* tried = verb.get_option_no_throw(flag) ? nullptr : tried_flag(flag);
    const std::string ours = tried ? flag_named(tried->field) : "";
    if (!tried || !tried->taken || !verb.get_option_no_throw(ours)) {
      meant.push_back(word);
      continue;
    }
    meant.push_back(equals == std::string::npos ? ours : ours + word.substr(equals));
    if (!tried->value.empty() && equals == std::string::npos) meant.emplace_back(tried->value);
  }
  return meant;
}

}  // namespace plimsoll
