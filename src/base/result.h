// The two ways a call can end: with a value, or with an Error that a user can act on.
//
// Errors are for the bad world (a file, a model, a flag, a network). Our own bugs are
// PLIM_CHECK's business (check.h). No exception crosses a room.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace plimsoll {

enum class ErrorKind {
  user,          // a mistake in what we were given: exit code 2
  environment,   // the machine failed: disk full, a file vanished: exit code 4
  undetermined,  // depends on data that only a run has; whoever can go on without it does
};

// One line for the user: where, what was found and expected, and a hint.
struct Error {
  ErrorKind kind = ErrorKind::user;
  std::string what;   // "kernel is 0x3, expected sizes of at least 1"
  std::string where;  // "net.onnx: node 'conv1'"; grows to the left on its way up
  std::string hint;   // "re-export with a dynamic batch axis"; may be empty

  // Adds an outer place: in("net.onnx") on where "node 'conv1'" gives "net.onnx: node 'conv1'".
  Error in(const std::string& place) && {
    where = where.empty() ? place : place + ": " + where;
    return std::move(*this);
  }
  std::string line() const;  // "where: what (hint)", always a single line
};

inline Error user_error(std::string what, std::string hint = {}) {
  return {ErrorKind::user, std::move(what), {}, std::move(hint)};
}

inline Error environment_error(std::string what, std::string hint = {}) {
  return {ErrorKind::environment, std::move(what), {}, std::move(hint)};
}

inline Error undetermined(std::string what) { return {ErrorKind::undetermined, std::move(what), {}, {}}; }

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    PLIM_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    PLIM_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    PLIM_CHECK(ok(), "value() of a failed Result");
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    PLIM_CHECK(!ok(), "error() of a good Result");
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    PLIM_CHECK(!ok(), "error() of a good Result");
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// A Result without a value.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace plimsoll

#define PLIM_CONCAT_(a, b) a##b
#define PLIM_CONCAT(a, b) PLIM_CONCAT_(a, b)

// PLIM_TRY(status_or_result_expression): leaves the function with the error, if there is one.
#define PLIM_TRY(expression)                                      \
  do {                                                            \
    auto plim_status = (expression);                              \
    if (!plim_status.ok()) return std::move(plim_status).error(); \
  } while (false)

// PLIM_ASSIGN(auto x, f()): x is f's value, or the function is left with its error.
#define PLIM_ASSIGN(declaration, expression)                                                                    \
  auto PLIM_CONCAT(plim_result_, __LINE__) = (expression);                                                      \
  if (!PLIM_CONCAT(plim_result_, __LINE__).ok()) return std::move(PLIM_CONCAT(plim_result_, __LINE__)).error(); \
  declaration = std::move(PLIM_CONCAT(plim_result_, __LINE__)).value()
