#include "base/rows/form.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kAboveIntegers = 9.2e18;

int64_t whole(double bound) {
  if (bound >= kAboveIntegers) return INT64_MAX;
  if (bound <= -kAboveIntegers) return INT64_MIN;
  return int64_t(bound);
}

// For numbers without a limit of their own: what JSON and people call a number.
double bounded(double bound) { return std::isfinite(bound) ? bound : std::copysign(1e300, bound); }

Json ranged(Json schema, const Row& row) {
  if (std::isfinite(row.least)) schema[row.edge == Edge::above ? "exclusiveMinimum" : "minimum"] = row.least;
  if (std::isfinite(row.most)) schema["maximum"] = row.most;
  return schema;
}

Json whole_schema(const Row& row) {
  Json schema{{"type", "integer"}};
  if (std::isfinite(row.least)) schema["minimum"] = whole(row.least);
  if (std::isfinite(row.most)) schema["maximum"] = whole(row.most);
  return schema;
}

Json number_or_text(Json number, const char* unit) {
  number["description"] = unit;
  return {{"anyOf", {std::move(number), Json{{"type", "string"}}}}};
}

std::string range_text(const Row& row) {
  return fmt::format("a number {} {}, at most {}", row.edge == Edge::above ? "above" : "from", bounded(row.least),
                     bounded(row.most));
}

}  // namespace

Error wrong_json(const std::string& called, const Json& found, const std::string& expected) {
  const std::string text = found.dump(-1, ' ', true, Json::error_handler_t::replace);
  return user_error(fmt::format("{} is {}, expected {}", called, printable(text, 80), expected));
}

Result<double> number_of(const Row& row, const std::string& called, const Json& json) {
  if (!json.is_number()) return wrong_json(called, json, range_text(row));
  const double number = json.get<double>();
  const bool enough = row.edge == Edge::above ? number > row.least : number >= row.least;
  if (!std::isfinite(number) || !enough || number > row.most) return wrong_json(called, json, range_text(row));
  return number;
}

Result<bool> Form<bool>::parse(const Row&, const std::string& called, const std::string& text) {
  if (text.empty() || text == "true") return true;
  if (text == "false") return false;
  return user_error(fmt::format("{} is {}, expected true or false", called, in_quotes(text)));
}

Result<bool> Form<bool>::read(const Row&, const std::string& called, const Json& json) {
  if (!json.is_boolean()) return wrong_json(called, json, "true or false");
  return json.get<bool>();
}

Result<int64_t> Form<int64_t>::parse(const Row& row, const std::string& called, const std::string& text) {
  return parse_integer(called, text, whole(row.least), whole(row.most));
}

Result<int64_t> Form<int64_t>::read(const Row& row, const std::string& called, const Json& json) {
  const int64_t least = whole(row.least), most = whole(row.most);
  const bool in_int64 = json.is_number_integer() && !(json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX);
  if (in_int64 && json.get<int64_t>() >= least && json.get<int64_t>() <= most) return json.get<int64_t>();
  return wrong_json(called, json, fmt::format("a whole number from {} to {}", with_commas(least), with_commas(most)));
}

Json Form<int64_t>::schema(const Row& row) { return whole_schema(row); }

Result<double> Form<double>::parse(const Row& row, const std::string& called, const std::string& text) {
  return parse_number(called, text, bounded(row.least), row.edge, bounded(row.most));
}

Result<double> Form<double>::read(const Row& row, const std::string& called, const Json& json) {
  return number_of(row, called, json);
}

Json Form<double>::schema(const Row& row) { return ranged({{"type", "number"}}, row); }

Result<std::string> Form<std::string>::parse(const Row& row, const std::string& called, const std::string& text) {
  if (row.choices.empty()) return text;
  if (const int place = place_of_choice(text, row.choices); place >= 0) return row.choices[size_t(place)];
  return user_error(fmt::format("{} is {}, expected {}", called, in_quotes(text), listed(row.choices)),
                    did_you_mean(text, row.choices));
}

Result<std::string> Form<std::string>::read(const Row& row, const std::string& called, const Json& json) {
  if (!json.is_string()) return wrong_json(called, json, row.choices.empty() ? "text" : listed(row.choices));
  return parse(row, called, json.get<std::string>());
}

Json Form<std::string>::schema(const Row& row) {
  Json schema{{"type", "string"}};
  if (!row.choices.empty()) schema["enum"] = row.choices;
  return schema;
}

// The memory of a machine: typed without a unit it is GiB, as everybody counts it.
static constexpr std::string_view kInGibibytes = "memory";

Result<Bytes> Form<Bytes>::parse(const Row& row, const std::string& called, const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
  return parse_bytes(called, plain && row.name == kInGibibytes ? text + "GiB" : text);
}

Result<Bytes> Form<Bytes>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  // In JSON a number is bytes; a few of them are a number of something larger.
  if (constexpr int64_t kFew = 1 << 16; row.name == kInGibibytes && json.is_number() && json.get<double>() < kFew)
    return user_error(fmt::format("{} is {} bytes, expected more", called, json.dump()),
                      fmt::format("with a unit it is text: \"{}GiB\"", json.dump()));
  Row bytes = row;
  bytes.least = 1;
  bytes.most = 1e18;
  PLIM_ASSIGN(const int64_t read, Form<int64_t>::read(bytes, called, json));
  return Bytes(read);
}

Json Form<Bytes>::schema(const Row&) {
  return number_or_text({{"type", "integer"}, {"minimum", 1}}, "bytes; as text with a unit, e.g. 8GiB");
}

Result<Seconds> Form<Seconds>::parse(const Row&, const std::string& called, const std::string& text) {
  return parse_time(called, text);
}

Result<Seconds> Form<Seconds>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  Row seconds = row;
  seconds.least = std::max(row.least, 0.0);
  PLIM_ASSIGN(const double read, number_of(seconds, called, json));
  return Seconds{read};
}

Json Form<Seconds>::schema(const Row&) {
  return number_or_text({{"type", "number"}, {"minimum", 0}}, "seconds; as text with a unit, e.g. 2.5h");
}

Result<Shape> Form<Shape>::parse(const Row&, const std::string& called, const std::string& text) {
  auto shape = parse_shape(text);
  if (!shape.ok()) return std::move(shape).error().in(called);
  return shape;
}

Result<Shape> Form<Shape>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  if (!json.is_array()) return wrong_json(called, json, "sizes, as [3, 224, 224] or \"3x224x224\"");
  Row size;
  size.least = 1;
  size.most = 1e18;
  Shape shape;
  for (const auto& dim : json) {
    PLIM_ASSIGN(const int64_t read, Form<int64_t>::read(size, called, dim));
    shape.push_back(read);
  }
  return shape;
}

Json Form<Shape>::schema(const Row&) {
  const Json sizes{{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 1}}}};
  return {{"anyOf", {sizes, Json{{"type", "string"}}}}};
}

}  // namespace plimsoll
