#include "plan/llm/freeze_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/numbers.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "plan/llm/tuning.h"

namespace plimsoll {
namespace {

using ParametersByName = std::unordered_map<std::string, ProgramValue*>;

ParametersByName parameters_of(Program& program) {
  ParametersByName found;
  for (auto& value : program.values)
    if (value.role == Role::parameter) found.emplace(value.name, &value);
  return found;
}

// One that rests already is meant as well.
Status freeze(const ParametersByName& parameters, const std::string& pattern) {
  if (const auto whole = parameters.find(pattern); whole != parameters.end()) {
    whole->second->role = Role::buffer;
    return {};
  }
  bool any = false;
  for (const auto& [name, value] : parameters) {
    if (!matches(pattern, name)) continue;
    value->role = Role::buffer;
    any = true;
  }
  if (!any)
    return user_error(fmt::format("no parameter has a name like {}", in_quotes(pattern)),
                      "weigh lists the layers; '*' stands for anything");
  return {};
}

}  // namespace

Status freeze_parameters(Program& program, const std::string& patterns) {
  const ParametersByName parameters = parameters_of(program);
  for (const auto& pattern : split(patterns, ',')) PLIM_TRY(freeze(parameters, pattern));
  const bool left = std::any_of(parameters.begin(), parameters.end(),
                                [](const auto& one) { return one.second->role == Role::parameter; });
  if (!left)
    return user_error(fmt::format("{} freezes every parameter: nothing is left to train", in_quotes(patterns)),
                      named("mode") + " inference");
  return {};
}

}  // namespace plimsoll
