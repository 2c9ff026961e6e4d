#include "tell/cli/tell_error.h"

#include <fmt/format.h>

#include <cstdio>

#include "tell/cli/command.h"
#include "tell/report/json.h"

namespace plimsoll {

int exit_code_of(const Error& error) { return error.kind == ErrorKind::environment ? kExitEnvironment : kExitUser; }

int tell_error(const Error& error, bool json) {
  const int code = exit_code_of(error);
  fmt::print(stderr, "plimsoll: {}\n", error.line());
  if (json) fmt::print("{}", error_json(error, code));
  std::fflush(stdout);
  return code;
}

}  // namespace plimsoll
