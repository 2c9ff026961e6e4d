#include "base/rows/named.h"
#include "plan/ask/fit_verb.h"
#include "plan/ask/place_verb.h"
#include "plan/ask/scale_verb.h"

namespace plimsoll {

PlanVerb weigh_verb();
PlanVerb models_verb();
PlanVerb devices_verb();
PlanVerb calibrate_verb();

std::span<const PlanVerb> all_plan_verbs() {
  static const PlanVerb kVerbs[] = {weigh_verb(),  fit_verb(),     place_verb(),    scale_verb(),
                                    models_verb(), devices_verb(), calibrate_verb()};
  return kVerbs;
}

const PlanVerb* find_plan_verb(std::string_view name) {
  for (const auto& verb : all_plan_verbs())
    if (verb.name == name) return &verb;
  return nullptr;
}

Result<VerbAnswer> ask(std::string_view name, const Json& request, const AskContext& context) {
  const PlanVerb* verb = find_plan_verb(name);
  if (!verb) {
    std::vector<std::string> names;
    for (const auto& known : all_plan_verbs()) names.emplace_back(known.name);
    return user_error(fmt::format("{} is not a verb, expected {}", in_quotes(name), listed(names)),
                      did_you_mean(name, names));
  }
  auto answer = verb->ask(request, context);
  if (!answer.ok()) return spoken_error(std::move(answer).error(), Door::json);
  answer->document = spoken_document(std::move(answer->document), Door::json);
  return answer;
}

}  // namespace plimsoll
