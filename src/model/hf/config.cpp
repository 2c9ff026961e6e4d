#include "model/hf/config.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;

std::string shown(const Config::Json& found) {
  return found.is_object()  ? "an object"
         : found.is_array() ? "a list"
                            : printable(found.dump(-1, ' ', false, Config::Json::error_handler_t::replace), 60);
}

// Says nothing: null, false, 0, an empty text, list or object.
bool is_nothing(const Config::Json& value) {
  return value.is_null() || value == false || (value.is_number() && value == 0) ||
         ((value.is_string() || value.is_structured()) && value.empty());
}

}  // namespace

struct Config::Object {
  Json json;
  std::set<std::string, std::less<>> read;
  std::string path;  // "text_config." of a part
};

struct Config::State {
  std::optional<Error> error;
  std::vector<std::shared_ptr<const Object>> objects;  // all that were opened
};

Config::Config(const Json& document) : Config(document, "", std::make_shared<State>()) {}

Config::Config(const Json& object, std::string path, std::shared_ptr<State> state)
    : object_(std::make_shared<Object>(Object{object, {}, std::move(path)})), state_(std::move(state)) {
  state_->objects.push_back(object_);
}

bool Config::failed() const { return state_->error.has_value(); }

Status Config::broken() const { return failed() ? Status(*state_->error) : Status(); }

const Config::Json* Config::find(std::string_view keys) const {
  const Json* found = nullptr;
  while (!keys.empty()) {
    const size_t bar = keys.find('|');
    const std::string key(keys.substr(0, bar));
    keys = bar == std::string_view::npos ? std::string_view() : keys.substr(bar + 1);
    object_->read.insert(key);
    const auto place = object_->json.find(key);
    if (!found && place != object_->json.end() && !place->is_null()) found = &*place;
  }
  return found;
}

std::string Config::named(std::string_view keys) const {
  std::string_view key = keys.substr(0, keys.find('|'));
  for (std::string_view left = keys; !left.empty();) {
    const std::string_view now = left.substr(0, left.find('|'));
    if (object_->json.contains(std::string(now))) key = now;
    left = now.size() == left.size() ? std::string_view() : left.substr(now.size() + 1);
  }
  return in_quotes(object_->path + std::string(key));
}

void Config::fail(std::string what, std::string hint) const {
  if (!state_->error) state_->error = user_error(std::move(what), std::move(hint));
}

void Config::wrong(std::string_view keys, const Json& found, std::string_view expected) const {
  fail(fmt::format("{} is {}, expected {}", named(keys), shown(found), expected));
}

bool Config::has(std::string_view keys) const { return find(keys) != nullptr; }

bool Config::is_null(std::string_view key) const {
  const auto place = object_->json.find(std::string(key));
  return place != object_->json.end() && place->is_null();
}

int64_t Config::integer(std::string_view keys, const Json& found, int64_t least, int64_t fallback) const {
  const std::string range = fmt::format("a whole number from {} to 2^31", least);
  const bool whole =
      found.is_number_integer() || (found.is_number_float() && found.get<double>() == std::floor(found.get<double>()));
  if (!whole || !(found.get<double>() >= double(least) && found.get<double>() <= double(kLargest))) {
    wrong(keys, found, range);
    return fallback;
  }
  return found.get<int64_t>();
}

int64_t Config::size(std::string_view keys, std::optional<int64_t> fallback) const {
  const Json* found = find(keys);
  if (found) return integer(keys, *found, 1, fallback.value_or(1));
  if (!fallback) fail(fmt::format("the key {} is missing", named(keys)));
  return fallback.value_or(1);
}

int64_t Config::count(std::string_view keys, int64_t fallback) const {
  const Json* found = find(keys);
  return found ? integer(keys, *found, 0, fallback) : fallback;
}

double Config::number(std::string_view keys, double fallback) const {
  const Json* found = find(keys);
  if (!found) return fallback;
  if (found->is_number()) return found->get<double>();
  wrong(keys, *found, "a number");
  return fallback;
}

int64_t Config::multiple(int64_t size, std::string_view keys, double fallback) const {
  const Json* found = find(keys);
  if (found && !found->is_number()) wrong(keys, *found, "a number");
  const double product = double(size) * (found && found->is_number() ? found->get<double>() : fallback);
  if (product >= 1 && product <= double(kLargest)) return int64_t(product);
  if (found) wrong(keys, *found, fmt::format("a number that makes 1 to 2^31 of {}", size));
  return 1;
}

bool Config::flag(std::string_view keys, bool fallback) const {
  const Json* found = find(keys);
  if (!found) return fallback;
  if (found->is_boolean()) return found->get<bool>();
  if (found->is_number_integer() && (*found == 0 || *found == 1)) return *found == 1;
  wrong(keys, *found, "true or false");
  return fallback;
}

std::string Config::text(std::string_view keys, const std::string& fallback) const {
  const Json* found = find(keys);
  if (!found) return fallback;
  if (found->is_string()) return found->get<std::string>();
  wrong(keys, *found, "a text");
  return fallback;
}

std::vector<int64_t> Config::counts(std::string_view keys, std::vector<int64_t> fallback) const {
  const Json* found = find(keys);
  if (!found) return fallback;
  if (!found->is_array()) {
    wrong(keys, *found, "a list of whole numbers");
    return fallback;
  }
  std::vector<int64_t> list;
  for (const auto& item : *found)
    list.push_back(item.is_boolean() ? int64_t(item.get<bool>()) : integer(keys, item, 0, 0));
  return list;
}

std::vector<double> Config::numbers(std::string_view keys) const {
  const Json* found = find(keys);
  std::vector<double> list;
  if (!found) return list;
  if (!found->is_array()) wrong(keys, *found, "a list of numbers");
  else
    for (const auto& item : *found) {
      if (!item.is_number()) wrong(keys, item, "a number");
      list.push_back(item.is_number() ? item.get<double>() : 0);
    }
  return list;
}

std::vector<std::string> Config::words(std::string_view keys) const {
  const Json* found = find(keys);
  std::vector<std::string> list;
  if (!found) return list;
  if (!found->is_array()) wrong(keys, *found, "a list of texts");
  else
    for (const auto& item : *found) {
      if (!item.is_string()) wrong(keys, item, "a text");
      list.push_back(item.is_string() ? item.get<std::string>() : "");
    }
  return list;
}

size_t Config::length(std::string_view key) const {
  const Json* found = find(key);
  return found && found->is_structured() ? found->size() : 0;
}

bool Config::is_list(std::string_view key) const {
  const Json* found = find(key);
  return found && found->is_array();
}

bool Config::is_part() const { return !object_->path.empty(); }

int64_t Config::side(std::string_view keys, int64_t fallback) const {
  const Json* found = find(keys);
  if (!found || !found->is_array()) return size(keys, fallback);
  const auto sides = counts(keys);
  const bool square = !sides.empty() && sides.front() > 0 && sides.front() == sides.back();
  if (!square) wrong(keys, *found, "a number or two equal ones");
  return square ? sides.front() : fallback;
}

bool Config::is_text(std::string_view key) const {
  const Json* found = find(key);
  return found && found->is_string();
}

Config Config::part(std::string_view key, bool needed) const {
  const Json* found = find(key);
  if (!found && needed) fail(fmt::format("the key {} is missing", named(key)));
  if (found && !found->is_object()) wrong(key, *found, "an object");
  return Config(found && found->is_object() ? *found : Json::object(), object_->path + std::string(key) + ".", state_);
}

void Config::ignore(std::initializer_list<std::string_view> keys) const {
  for (const auto key : keys) object_->read.insert(std::string(key));
}

// A part may have been opened more than once: what one of them has read, the others need not.
void Config::refuse_unread() const {
  std::set<std::string> read;
  for (const auto& object : state_->objects)
    for (const auto& key : object->read) read.insert(object->path + key);
  for (const auto& object : state_->objects)
    for (const auto& [key, value] : object->json.items())
      if (!read.contains(object->path + key) && !is_nothing(value) && !is_harmless_key(key))
        fail(fmt::format("the key {} is not understood and may change the shape of the network",
                         in_quotes(object->path + key)),
             "remove it if it changes nothing, or export the network as .onnx");
}

Status Config::finish() const {
  if (!failed()) refuse_unread();
  return broken();
}

}  // namespace plimsoll
