#include "base/rows/fields.h"

#include "base/rows/tried_names.h"

namespace plimsoll {
namespace {

// As it would be typed: 60 and not 60.0, 1,2,4 and not [1,2,4].
std::string as_typed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const auto& entry : value) list += (list.empty() ? "" : ",") + as_typed(entry);
  return list;
}

}  // namespace

std::string Field::default_text() const {
  if (!row.fallback.empty()) return fmt::format("(default: {})", row.fallback);
  if (first.is_null() || is_flag || (is_list && first.empty()) || first == "") return "";
  if (first.is_number_integer()) return fmt::format("(default: {})", with_commas(first.get<int64_t>()));
  return fmt::format("(default: {})", as_typed(first));
}

Field* Fields::find(std::string_view name) {
  for (auto& field : all_)
    if (field.row.name == name) return &field;
  return nullptr;
}

Row& Fields::row(std::string_view name) {
  Field* field = find(name);
  PLIM_CHECK(field, "a request has no row of this name");
  return field->row;
}

Status read_fields(Fields& fields, const Json& json, std::string_view verb) {
  if (!json.is_object()) return wrong_json("the request", json, "an object, as {\"model\": \"resnet50\"}");
  for (const auto& [name, value] : json.items()) {
    Field* field = fields.find(name);
    if (!field) {
      std::vector<std::string> names;
      for (const auto& known : fields.all()) names.push_back(known.row.name);
      return user_error(fmt::format("{} is not a field of {}", in_quotes(name), verb), meant_by(name, names));
    }
    if (value.is_null()) continue;
    PLIM_TRY(field->read(name, value));
    field->given = true;
  }
  return {};
}

}  // namespace plimsoll
