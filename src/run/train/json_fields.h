// Fields of a JSON object that a stranger may have changed: a field that is missing or of another kind is an Error,
// never an exception.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/result.h"

namespace plimsoll {

class JsonFields {
 public:
  // Borrows. `what` is what the object is called in messages.
  JsonFields(const nlohmann::ordered_json& json, std::string what) : json_(json), what_(std::move(what)) {}

  Result<int64_t> integer(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_number_integer()) return wrong(name, "a whole number");
    return field->get<int64_t>();
  }
  Result<double> number(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_number()) return wrong(name, "a number");
    return field->get<double>();
  }
  Result<std::optional<double>> number_or_null(const char* name) const {
    const auto* field = find(name);
    if (!field || field->is_null()) return std::optional<double>();
    if (!field->is_number()) return wrong(name, "a number or null");
    return std::optional(field->get<double>());
  }
  Result<bool> boolean(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_boolean()) return wrong(name, "true or false");
    return field->get<bool>();
  }
  Result<std::string> text(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_string()) return wrong(name, "a string");
    return field->get<std::string>();
  }
  Result<const nlohmann::ordered_json*> object(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_object()) return wrong(name, "an object");
    return field;
  }
  Result<const nlohmann::ordered_json*> list(const char* name) const {
    const auto* field = find(name);
    if (!field || !field->is_array()) return wrong(name, "a list");
    return field;
  }

 private:
  const nlohmann::ordered_json* find(const char* name) const {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }
  Error wrong(const char* name, const char* expected) const {
    return user_error(fmt::format("the field '{}' of {} is missing or not {}", name, what_, expected));
  }

  const nlohmann::ordered_json& json_;
  std::string what_;
};

}  // namespace plimsoll
