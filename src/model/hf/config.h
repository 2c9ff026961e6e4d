// Config: a config.json while a family reads its keys. It is a stranger's file: every number is checked for its type
// and range, the first mistake is kept, and what is asked for after it is answered with the fallback, so that no family
// has to check. finish() tells the mistake, or a key that nobody has read although its name says that it changes the
// shape.
//
// A key may have two names, as "n_embd|hidden_size": the first one that is there counts. Copies share what they read.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

class Config {
 public:
  using Json = nlohmann::ordered_json;

  // An object. Borrows nothing.
  explicit Config(const Json& document);

  bool has(std::string_view keys) const;  // there, and not null
  bool is_null(std::string_view key) const;
  // A size: from 1 to 2^31. Without a fallback it has to be there.
  int64_t size(std::string_view keys, std::optional<int64_t> fallback = std::nullopt) const;
  int64_t count(std::string_view keys, int64_t fallback) const;  // from 0
  double number(std::string_view keys, double fallback) const;
  // A size that is written as a multiple of another, cut to a whole number: from 1 to 2^31 as well.
  int64_t multiple(int64_t size, std::string_view keys, double fallback) const;
  bool flag(std::string_view keys, bool fallback) const;
  std::string text(std::string_view keys, const std::string& fallback) const;
  std::vector<int64_t> counts(std::string_view keys, std::vector<int64_t> fallback = {}) const;
  std::vector<double> numbers(std::string_view keys) const;
  std::vector<std::string> words(std::string_view keys) const;
  size_t length(std::string_view key) const;  // of a list or an object, 0 without one
  bool is_list(std::string_view key) const;
  bool is_part() const;  // an object inside of another: sizes that it leaves out have the usual value
  // A size that may be written as a list of two equal ones: a picture's side.
  int64_t side(std::string_view keys, int64_t fallback) const;
  bool is_text(std::string_view key) const;
  // An object inside; an empty one when it is absent. `needed`: then it is a mistake.
  Config part(std::string_view key, bool needed = false) const;

  // Keys that change nothing that is built here.
  void ignore(std::initializer_list<std::string_view> keys) const;

  void fail(std::string what, std::string hint = {}) const;
  bool failed() const;
  Status broken() const;  // the mistake so far
  Status finish() const;

 private:
  struct State;   // what all parts of a file share
  struct Object;  // the JSON, and which keys were read

  Config(const Json& object, std::string path, std::shared_ptr<State> state);
  const Json* find(std::string_view keys) const;  // nullptr: absent or null; marks it as read
  std::string named(std::string_view keys) const;
  void wrong(std::string_view keys, const Json& found, std::string_view expected) const;
  int64_t integer(std::string_view keys, const Json& found, int64_t least, int64_t fallback) const;
  void refuse_unread() const;

  std::shared_ptr<Object> object_;
  std::shared_ptr<State> state_;
};

// Whether a key that no family has read may be passed over.
bool is_harmless_key(std::string_view key);

}  // namespace plimsoll
