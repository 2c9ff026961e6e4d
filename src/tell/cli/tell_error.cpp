#include "tell/cli/tell_error.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/rows/json.h"
#include "base/rows/named.h"
#include "tell/cli/command.h"
#include "tell/cli/print_aside.h"

namespace plimsoll {

int exit_code_of(const Error& error) { return error.kind == ErrorKind::environment ? kExitEnvironment : kExitUser; }

int tell_error(const Error& told, bool json) {
  const Error error = spoken_error(told, Door::command_line);
  const int code = exit_code_of(error);
  print_aside("plimsoll: {}\n", error.line());
  if (json) fmt::print("{}", error_json(error, code));
  std::fflush(stdout);
  return code;
}

}  // namespace plimsoll
