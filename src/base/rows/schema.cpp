#include "base/rows/schema.h"

#include "base/rows/named.h"

namespace plimsoll {
namespace {

constexpr const char* kDialect = "https://json-schema.org/draft/2020-12/schema";

}  // namespace

Json request_schema(std::string_view verb, const std::vector<Field>& rows) {
  Json schema{{"$schema", kDialect},
              {"$id", fmt::format("plimsoll.{}.request/1", verb)},
              {"title", fmt::format("A request to {}", verb)},
              {"type", "object"},
              {"properties", Json::object()},
              {"additionalProperties", false}};
  for (const auto& field : rows) {
    if (field.row.hidden) continue;
    Json property = field.schema;
    std::string text = field.row.help;
    if (!field.row.unit.empty()) text += fmt::format(" [{}]", field.row.unit);
    if (!field.row.fallback.empty()) text += " " + field.default_text();
    property["description"] = spoken(text, Door::json);
    if (!field.first.is_null() && field.row.fallback.empty()) property["default"] = field.first;
    schema["properties"][field.row.name] = std::move(property);
    if (field.row.required) schema["required"].push_back(field.row.name);
  }
  return schema;
}

Json answer_schema(std::string_view id, std::vector<Json> forms, const detail::Definitions& definitions) {
  Json schema{{"$schema", kDialect}, {"$id", id}};
  if (forms.size() == 1) schema.update(forms.front());
  else schema["oneOf"] = std::move(forms);
  if (!definitions.empty()) schema["$defs"] = definitions;
  return schema;
}

}  // namespace plimsoll
