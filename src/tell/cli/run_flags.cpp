#include "tell/cli/run_flags.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

std::string listed(const Json& config, const char* name) {
  std::string text;
  const auto list = config.find(name);
  if (list == config.end() || !list->is_array()) return text;
  for (const auto& number : *list)
    if (number.is_number()) text += fmt::format("{}{}", text.empty() ? "" : ",", number.get<double>());
  return text;
}

}  // namespace

Result<TrainFlags> flags_of_run(const Checkpoint& checkpoint) {
  TrainFlags flags;
  const auto typed = checkpoint.config.find("flags");
  if (typed == checkpoint.config.end() || !typed->is_object())
    return user_error("does not say how its network was made").in(printable(checkpoint.path, 200));
  PLIM_TRY(flags.take_over(*typed));
  if (const std::string mean = listed(checkpoint.config, "mean"); !mean.empty()) {
    flags.data.mean = mean;
    flags.data.deviation = listed(checkpoint.config, "deviation");
  }
  return flags;
}

std::vector<std::string> class_names_of_run(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  const auto list = checkpoint.config.find("class_names");
  if (list == checkpoint.config.end() || !list->is_array()) return names;
  for (const auto& name : *list)
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

}  // namespace plimsoll
