#include "tell/cli/threads_flag.h"

#include <algorithm>

#include "plan/devices/this_machine.h"
#include "tell/cli/numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostThreads = 1024;

}  // namespace

const char* threads_help() { return "threads of a step on this machine (default: its cores)"; }

Result<int> read_threads(const std::string& flag) {
  if (flag.empty()) return int(std::clamp<int64_t>(read_this_machine().cores().value(), 1, kMostThreads));
  PLIM_ASSIGN(const int64_t threads, parse_integer("--threads", flag, 1, kMostThreads));
  return int(threads);
}

}  // namespace plimsoll
