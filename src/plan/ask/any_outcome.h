// AnyOutcome: what a verb answers that has several who answer it, by what is asked. Which of them is said once, where
// the verb is; the JSON interface and the command line both go there.
#pragma once

#include <variant>

#include "base/rows/reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {

template <class... Outcomes>
struct AnyOutcome {
  std::variant<Outcomes...> outcome;
  std::shared_ptr<const Network> network = nullptr;  // where the outcome borrows it

  // It fits, it can be placed, the aim is met: is_yes() stands beside each outcome.
  bool yes() const {
    return std::visit([](const auto& answer) { return is_yes(answer); }, outcome);
  }

  Json document(std::string_view schema) const {
    return std::visit([&](const auto& answer) { return document_json(schema, answer); }, outcome);
  }

  static std::vector<Json> forms(std::string_view schema, detail::Definitions& definitions) {
    return {document_schema<Outcomes>(schema, definitions)...};
  }
};

}  // namespace plimsoll
