// Command: one verb of the command line. Each lives in a file of its own in this folder and is one
// line in all_commands.cpp. main.cpp maps results to exit codes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace CLI {
class App;
}

namespace plimsoll {

// Exit codes, the same for every verb; `plimsoll --help` prints this table.
enum ExitCode : int {
  kExitDone = 0,         // done, or it fits
  kExitNo = 1,           // does not fit, target not reached
  kExitUser = 2,         // the user's mistake
  kExitBug = 3,          // ours
  kExitEnvironment = 4,  // the machine failed
};

// What a verb does once its flags are read; the exit code, or the Error that ends it.
using Action = std::function<Result<int>()>;

struct Command {
  std::string_view name, summary;  // the summary stands beside it in `plimsoll --help`
  // Adds the verb's flags to `app` and returns its action. Flags are read into what the action owns.
  Action (*declare)(CLI::App& app);
};

std::span<const Command> all_commands();

}  // namespace plimsoll
