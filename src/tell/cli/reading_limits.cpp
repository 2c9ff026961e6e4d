#include "tell/cli/reading_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <new>

#include "base/size_text.h"
#include "tell/cli/command.h"

namespace plimsoll {
namespace {

// What is written where a limit is reached. Made before: by then there may be no memory to make it in.
struct LastWords {
  std::string line, json;
};
LastWords too_slow, too_large;

[[noreturn]] void end_with(const LastWords& words) {
  const bool told = write(STDERR_FILENO, words.line.data(), words.line.size()) >= 0 &&
                    write(STDOUT_FILENO, words.json.data(), words.json.size()) >= 0;
  _exit(told ? kExitUser : kExitEnvironment);
}

LastWords last_words(const Error& error, bool json) {
  return {"plimsoll: " + error.line() + "\n", json ? error_json(error, kExitUser) : ""};
}

#ifdef __SANITIZE_ADDRESS__  // which takes terabytes of addresses for itself
void limit_memory(Bytes) {}
#else
Bytes data_here() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  file >> size >> resident >> shared >> text >> libraries >> data;
  return Bytes(data * sysconf(_SC_PAGESIZE));
}

void limit_memory(Bytes memory) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_max, rlim_t((memory + data_here()).value()));
  setrlimit(RLIMIT_DATA, &limit);
  std::set_new_handler([] { end_with(too_large); });
}
#endif

void limit_time(int64_t seconds) {
  struct sigaction action {};
  action.sa_handler = [](int) { end_with(too_slow); };
  sigaction(SIGALRM, &action, nullptr);
  const itimerval once{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

}  // namespace

void begin_limits(const LimitsRequest& limits, const std::string& file, bool json) {
  if (limits.max_memory) {
    const std::string what = fmt::format("no answer within {} of memory", human_bytes(*limits.max_memory));
    too_large = last_words(user_error(what, "--max-memory gives it more").in(file), json);
    limit_memory(*limits.max_memory);
  }
  if (limits.max_seconds) {
    const std::string what = fmt::format("no answer within {} s", *limits.max_seconds);
    too_slow = last_words(user_error(what, "--max-seconds gives it more time").in(file), json);
    limit_time(*limits.max_seconds);
  }
}

}  // namespace plimsoll
