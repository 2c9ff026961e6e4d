// Replies: what a verb answers, as JSON and as its schema, from one description.
//
// A type is described by a function beside it, which names each key once, says what it is and how it is had:
//   template <class V>
//   void describe(V& row, const Alternative* a) {
//     row("change", "what would be changed", [=] { return a->change; });
//     row("batch", "the largest batch under the line then", [=] { return a->batch; });
//   }
// `schema_name(const Alternative*)` beside it is what the type is called in schemas. A schema is made from the types
// that the lambdas return and calls none of them, so the pointer is null there: nothing outside of a lambda may follow
// it.
//
// What may be absent returns a std::optional: the key is left out, or null where the lambda returns OrNull.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "base/rows/choices.h"
#include "base/rows/json.h"
#include "base/units.h"

namespace plimsoll {

// A key that is always there, null where there is nothing to say.
template <class T>
struct OrNull {
  std::optional<T> value;
};
template <class T>
OrNull(std::optional<T>) -> OrNull<T>;

// A number that may be none, as the loss of a run that diverged: null then, as JSON has no word for it.
inline OrNull<double> or_null(double number) { return {std::isfinite(number) ? std::optional(number) : std::nullopt}; }
inline OrNull<double> or_null(std::optional<double> number) { return number ? or_null(*number) : OrNull<double>{}; }

// Keys that are names of something, in this order: parts of memory, kinds of operations.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

class JsonReply;

template <class T>
concept Described = requires(JsonReply& row, const T* value) {
  describe(row, value);
  schema_name(value);
};

template <class T>
Json reply_json(const T& value);

// Writes the rows of one object.
class JsonReply {
 public:
  explicit JsonReply(Json& into) : into_(into) {}

  template <class Get>
  void operator()(const char* name, const char*, Get get) {
    put(name, get());
  }

 private:
  template <class T>
  void put(const char* name, const T& value) {
    into_[name] = reply_json(value);
  }
  template <class T>
  void put(const char* name, const std::optional<T>& value) {
    if (value) put(name, *value);
  }
  template <class T>
  void put(const char* name, const OrNull<T>& value) {
    into_[name] = value.value ? reply_json(*value.value) : Json();
  }

  Json& into_;
};

}  // namespace plimsoll

namespace plimsoll::detail {

template <class T>
struct ReplyForm;  // json(value), schema(definitions)

// The schemas of described types, by name, as "$defs" has them.
using Definitions = std::map<std::string, Json>;

template <class T>
Json schema_of(Definitions& definitions) {
  return ReplyForm<T>::schema(definitions);
}

// Gathers the schema of one object.
class SchemaReply {
 public:
  explicit SchemaReply(Definitions& definitions) : definitions_(definitions) {}

  template <class Get>
  void operator()(const char* name, const char* help, Get) {
    add<std::decay_t<std::invoke_result_t<Get>>>(name, help);
  }

  Json schema() const {
    return {{"type", "object"}, {"properties", properties_}, {"required", required_}, {"additionalProperties", false}};
  }

 private:
  template <class T>
  struct Kind {
    using Type = T;
    static constexpr bool required = true, null = false;
  };
  template <class T>
  struct Kind<std::optional<T>> {
    using Type = T;
    static constexpr bool required = false, null = false;
  };
  template <class T>
  struct Kind<OrNull<T>> {
    using Type = T;
    static constexpr bool required = true, null = true;
  };

  template <class T>
  void add(const char* name, const char* help) {
    Json schema = schema_of<typename Kind<T>::Type>(definitions_);
    if (Kind<T>::null) schema = {{"anyOf", {schema, Json{{"type", "null"}}}}};
    if (*help) schema["description"] = help;
    properties_[name] = std::move(schema);
    if (Kind<T>::required) required_.push_back(name);
  }

  Definitions& definitions_;
  Json properties_ = Json::object(), required_ = Json::array();
};

template <class T>
requires std::is_same_v<T, bool>
struct ReplyForm<T> {
  static Json json(bool value) { return value; }
  static Json schema(Definitions&) { return {{"type", "boolean"}}; }
};

template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) struct ReplyForm<T> {
  static Json json(T value) { return int64_t(value); }
  static Json schema(Definitions&) { return {{"type", "integer"}}; }
};

template <class T>
requires std::is_floating_point_v<T>
struct ReplyForm<T> {
  static Json json(T value) { return value; }
  static Json schema(Definitions&) { return {{"type", "number"}}; }
};

template <class T>
requires std::is_convertible_v<T, std::string_view>
struct ReplyForm<T> {
  static Json json(const T& value) { return std::string_view(value); }
  static Json schema(Definitions&) { return {{"type", "string"}}; }
};

template <class Unit>
struct ReplyForm<Quantity<Unit>> {
  static Json json(Quantity<Unit> value) { return value.value(); }
  static Json schema(Definitions&) { return {{"type", "integer"}}; }
};

template <>
struct ReplyForm<Seconds> {
  static Json json(Seconds value) { return value.value; }
  static Json schema(Definitions&) { return {{"type", "number"}}; }
};

template <class Unit>
struct ReplyForm<Rate<Unit>> {
  static Json json(Rate<Unit> value) { return value.per_second; }
  static Json schema(Definitions&) { return {{"type", "number"}}; }
};

template <Choice E>
struct ReplyForm<E> {
  static Json json(E value) { return choice_name(value); }
  static Json schema(Definitions&) { return {{"type", "string"}, {"enum", choice_names<E>()}}; }
};

template <class T>
struct ReplyForm<std::vector<T>> {
  static Json json(const std::vector<T>& list) {
    Json json = Json::array();
    for (const auto& entry : list) json.push_back(ReplyForm<T>::json(entry));
    return json;
  }
  static Json schema(Definitions& definitions) { return {{"type", "array"}, {"items", schema_of<T>(definitions)}}; }
};

template <class T>
struct ReplyForm<Named<T>> {
  static Json json(const Named<T>& list) {
    Json json = Json::object();
    for (const auto& [name, value] : list) json[name] = ReplyForm<T>::json(value);
    return json;
  }
  static Json schema(Definitions& definitions) {
    return {{"type", "object"}, {"additionalProperties", schema_of<T>(definitions)}};
  }
};

template <class T>
struct ReplyForm<OrNull<T>> {  // in a list
  static Json json(const OrNull<T>& value) { return value.value ? ReplyForm<T>::json(*value.value) : Json(); }
  static Json schema(Definitions& definitions) {
    return {{"anyOf", {schema_of<T>(definitions), Json{{"type", "null"}}}}};
  }
};

// Whatever it is: what somebody else has written.
template <>
struct ReplyForm<Json> {
  static Json json(const Json& value) { return value; }
  static Json schema(Definitions&) { return Json::object(); }
};

template <Described T>
struct ReplyForm<T> {
  static Json json(const T& value) {
    Json json = Json::object();
    JsonReply row(json);
    describe(row, &value);
    return json;
  }
  static Json schema(Definitions& definitions) {
    const std::string name(schema_name(static_cast<const T*>(nullptr)));
    if (definitions.emplace(name, Json()).second) {
      SchemaReply row(definitions);
      describe(row, static_cast<const T*>(nullptr));
      definitions[name] = row.schema();
    }
    return {{"$ref", "#/$defs/" + name}};
  }
};

}  // namespace plimsoll::detail

namespace plimsoll {

template <class T>
Json reply_json(const T& value) {
  return detail::ReplyForm<T>::json(value);
}

// An answer inside of another document, with the name of its schema.
template <class T>
struct InnerAnswer {
  std::string_view schema;
  const T* value;
};

template <class T>
std::string schema_name(const InnerAnswer<T>*) {
  return std::string(schema_name(static_cast<const T*>(nullptr))) + "Answer";
}

template <class V, class T>
void describe(V& row, const InnerAnswer<T>* a) {
  row("schema", "of this answer", [=] { return a->schema; });
  describe(row, a ? a->value : nullptr);
}

// A whole document: its schema's name first.
template <Described T>
Json document_json(std::string_view schema, const T& value) {
  Json json{{"schema", schema}};
  JsonReply row(json);
  describe(row, &value);
  return json;
}

// The schema of one form of a document; its described types are added to the definitions.
template <Described T>
Json document_schema(std::string_view schema, detail::Definitions& definitions) {
  detail::SchemaReply row(definitions);
  describe(row, static_cast<const T*>(nullptr));
  Json made = row.schema();
  Json properties{{"schema", {{"const", schema}}}};
  properties.update(made["properties"]);
  made["properties"] = std::move(properties);
  made["required"].insert(made["required"].begin(), "schema");
  made["title"] = schema_name(static_cast<const T*>(nullptr));
  return made;
}

}  // namespace plimsoll
