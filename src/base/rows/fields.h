// Fields: the rows of one request, each tied to its member. Whoever reads requests (the command line, JSON, the page)
// walks over them; nobody names a field twice.
//
// A request lists its own:
//   void FitRequest::describe(Fields& fields) {
//     fields.add(batch, {.name = "batch", .subject = Subject::step, .help = "samples a step", .least = 1});
// Fields borrow the request: they live no longer than it does.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>

#include "base/rows/form.h"

namespace plimsoll::detail {

template <class T>
inline constexpr bool is_list_type = false;
template <class T>
inline constexpr bool is_list_type<std::vector<T>> = true;

}  // namespace plimsoll::detail

namespace plimsoll {

struct Field {
  Row row;
  std::function<Status(const std::string& called, const std::string& text)> parse;  // a list grows by it
  std::function<Status(const std::string& called, const Json& json)> read;
  std::function<Json()> write;  // null where there is no value
  Json first;                   // the value before anything is read: its default
  Json schema;
  bool is_flag = false, is_list = false;
  bool given = false;  // by whoever asks

  // What follows the help: "(default 0.8)", "(default: this machine's)", or nothing.
  std::string default_text() const;
};

class Fields {
 public:
  template <class T>
  void add(T& member, Row row) {
    Field field;
    field.schema = FormOf<T>::schema(row);
    field.is_flag = std::is_same_v<T, bool>;
    field.is_list = detail::is_list_type<T>;
    field.parse = [&member, row](const std::string& called, const std::string& text) -> Status {
      PLIM_ASSIGN(auto value, FormOf<T>::parse(row, called, text));
      return take(member, std::move(value), true);
    };
    field.read = [&member, row](const std::string& called, const Json& json) -> Status {
      PLIM_ASSIGN(auto value, FormOf<T>::read(row, called, json));
      return take(member, std::move(value), false);
    };
    field.write = [&member]() -> Json { return written(member); };
    field.first = field.write();
    field.row = std::move(row);
    all_.push_back(std::move(field));
  }

  std::vector<Field>& all() { return all_; }
  const std::vector<Field>& all() const { return all_; }
  Field* find(std::string_view name);
  Row& row(std::string_view name);  // to say it otherwise for one verb; our bug if it is not there

 private:
  template <class T>
  struct Plain {
    using Type = T;
  };
  template <class T>
  struct Plain<std::optional<T>> {
    using Type = T;
  };
  template <class T>
  using FormOf = Form<typename Plain<T>::Type>;

  template <class T, class V>
  static Status take(T& member, V value, bool grows) {
    if constexpr (detail::is_list_type<T>) {
      if (grows) member.insert(member.end(), value.begin(), value.end());
      else member = std::move(value);
    } else {
      member = std::move(value);
    }
    return {};
  }

  template <class T>
  static Json written(const T& member) {
    return Form<T>::write(member);
  }
  template <class T>
  static Json written(const std::optional<T>& member) {
    return member ? Form<T>::write(*member) : Json();
  }

  std::vector<Field> all_;
};

template <class Request>
Fields fields_of(Request& request) {
  Fields fields;
  request.describe(fields);
  return fields;
}

// Fills a request from a JSON object: a field that is not there keeps its default, one that is unknown or wrong is an
// Error with its name, what was expected and the nearest name. `verb` is for the message.
Status read_fields(Fields& fields, const Json& json, std::string_view verb);

// The fields of a request that differ from their defaults, of those that `wanted` says yes to.
template <class Request, class Wanted>
Json write_request(Request& request, Wanted wanted) {
  Request blank;
  const Fields mine = fields_of(request), usual = fields_of(blank);
  Json json = Json::object();
  for (size_t i = 0; i < mine.all().size(); ++i) {
    const Field& field = mine.all()[i];
    if (Json value = field.write(); wanted(field.row) && value != usual.all()[i].first)
      json[field.row.name] = std::move(value);
  }
  return json;
}

}  // namespace plimsoll
