// Form<T>: how a field of type T is typed on the command line and written in JSON. One specialisation a type; a type
// with a grammar of its own (a disk, a link) has its form beside it.
//
// In JSON a number is a number. Where people type a unit ("8GiB", "2h"), JSON takes that text too, or the plain number
// in the unit that the schema names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/rows/choices.h"
#include "base/rows/json.h"
#include "base/rows/row.h"
#include "base/shape.h"

namespace plimsoll {

template <class T>
struct Form;

// "batch is "64", expected …": what JSON has in place of what was expected.
Error wrong_json(const std::string& called, const Json& found, const std::string& expected);

// A number in JSON that is in the row's range.
Result<double> number_of(const Row& row, const std::string& called, const Json& json);

template <>
struct Form<bool> {
  static Result<bool> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<bool> read(const Row& row, const std::string& called, const Json& json);
  static Json write(bool value) { return value; }
  static Json schema(const Row&) { return {{"type", "boolean"}}; }
};

template <>
struct Form<int64_t> {
  static Result<int64_t> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<int64_t> read(const Row& row, const std::string& called, const Json& json);
  static Json write(int64_t value) { return value; }
  static Json schema(const Row& row);
};

template <>
struct Form<double> {
  static Result<double> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<double> read(const Row& row, const std::string& called, const Json& json);
  static Json write(double value) { return value; }
  static Json schema(const Row& row);
};

template <>
struct Form<std::string> {
  static Result<std::string> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<std::string> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const std::string& value) { return value; }
  static Json schema(const Row& row);
};

template <>
struct Form<Bytes> {
  static Result<Bytes> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<Bytes> read(const Row& row, const std::string& called, const Json& json);
  static Json write(Bytes value) { return value.value(); }
  static Json schema(const Row& row);
};

template <>
struct Form<Seconds> {
  static Result<Seconds> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<Seconds> read(const Row& row, const std::string& called, const Json& json);
  static Json write(Seconds value) { return value.value; }
  static Json schema(const Row& row);
};

template <>
struct Form<Shape> {
  static Result<Shape> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<Shape> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const Shape& value) { return value.text(); }
  static Json schema(const Row& row);
};

template <Choice E>
struct Form<E> {
  static Result<E> parse(const Row&, const std::string& called, const std::string& text) {
    return choice_named<E>(called, text);
  }
  static Result<E> read(const Row& row, const std::string& called, const Json& json) {
    if (!json.is_string()) return wrong_json(called, json, listed(choice_names<E>()));
    return parse(row, called, json.template get<std::string>());
  }
  static Json write(E value) { return choice_name(value); }
  static Json schema(const Row&) { return {{"type", "string"}, {"enum", choice_names<E>()}}; }
};

// A type whose text says it all: `from_text` reads it, `text` writes it. JSON has the same text.
template <class T>
struct TextForm {
  static Result<T> read(const Row& row, const std::string& called, const Json& json) {
    if (!json.is_string()) return wrong_json(called, json, "text");
    return Form<T>::parse(row, called, json.template get<std::string>());
  }
  static Json schema(const Row&) { return {{"type", "string"}}; }
};

// A list, in JSON an array; one entry may stand without brackets.
template <class T>
struct Form<std::vector<T>> {
  static Result<std::vector<T>> parse(const Row& row, const std::string& called, const std::string& text) {
    std::vector<T> list;
    const auto words = row.separator ? split(text, row.separator) : std::vector<std::string>{text};
    for (const auto& word : words) {
      PLIM_ASSIGN(T entry, Form<T>::parse(row, called, word));
      list.push_back(std::move(entry));
    }
    return list;
  }
  static Result<std::vector<T>> read(const Row& row, const std::string& called, const Json& json) {
    std::vector<T> list;
    if (!json.is_array()) {
      PLIM_ASSIGN(T entry, Form<T>::read(row, called, json));
      list.push_back(std::move(entry));
      return list;
    }
    for (const auto& each : json) {
      PLIM_ASSIGN(T entry, Form<T>::read(row, called, each));
      list.push_back(std::move(entry));
    }
    return list;
  }
  static Json write(const std::vector<T>& list) {
    Json json = Json::array();
    for (const auto& entry : list) json.push_back(Form<T>::write(entry));
    return json;
  }
  static Json schema(const Row& row) {
    const Json one = Form<T>::schema(row);
    return {{"anyOf", {Json{{"type", "array"}, {"items", one}}, one}}};
  }
};

}  // namespace plimsoll
