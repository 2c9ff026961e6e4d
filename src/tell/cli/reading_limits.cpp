#include "tell/cli/reading_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <new>

#include "base/size_text.h"
#include "plan/devices/this_machine.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/numbers.h"
#include "tell/report/json.h"

namespace plimsoll {
namespace {

constexpr int64_t kUsualSeconds = 60, kMostSeconds = 1'000'000;
constexpr Bytes kUsualMemory(int64_t{4} << 30);

struct LimitFlags {
  std::string seconds, memory;
};

struct ReadingLimits {
  std::optional<int64_t> seconds;
  std::optional<Bytes> memory;
};

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

// Half of the machine, where that is less: the rest of it is to go on working.
Bytes usual_memory() {
  const auto machine = read_this_machine().memory();
  return machine ? std::min(kUsualMemory, Bytes(machine->value() / 2)) : kUsualMemory;
}

Result<ReadingLimits> read_reading_limits(const LimitFlags& flags) {
  ReadingLimits limits;
  if (!flags.seconds.empty()) {
    PLIM_ASSIGN(limits.seconds, parse_integer("--max-seconds", flags.seconds, 1, kMostSeconds));
  }
  if (!flags.memory.empty()) {
    PLIM_ASSIGN(limits.memory, parse_bytes("--max-memory", flags.memory));
  }
  return limits;
}

// The file that the argument names; empty when it is a network of the zoo or there is none.
std::string file_of(const CLI::App& app, const std::string& model) {
  for (const auto& name : app.get_option(model)->results())
    if (is_file_name(name)) return name;
  return {};
}

bool asks_for_json(const CLI::App& app) {
  const CLI::Option* json = app.get_option_no_throw("--json");
  return json && json->count() > 0;
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

void begin_limits(const ReadingLimits& limits, const std::string& file, bool json) {
  if (limits.memory) {
    const std::string what = fmt::format("no answer within {} of memory", human_bytes(*limits.memory));
    too_large = last_words(user_error(what, "--max-memory gives it more").in(file), json);
    limit_memory(*limits.memory);
  }
  if (limits.seconds) {
    const std::string what = fmt::format("no answer within {} s", *limits.seconds);
    too_slow = last_words(user_error(what, "--max-seconds gives it more time").in(file), json);
    limit_time(*limits.seconds);
  }
}

}  // namespace

Action with_reading_limits(CLI::App& app, std::string model, Action action, UsualLimits usual) {
  const auto flags = std::make_shared<LimitFlags>();
  const bool some = usual == UsualLimits::some;
  app.add_option(
         "--max-seconds", flags->seconds,
         fmt::format("longest time an .onnx file may take (default {})", some ? std::to_string(kUsualSeconds) : "none"))
      ->type_name("S");
  app.add_option("--max-memory", flags->memory,
                 fmt::format("most memory an .onnx file may take (default {})",
                             some ? "4GiB, or half of the machine's if that is less" : "none"))
      ->type_name("SIZE");
  return [&app, flags, model = std::move(model), action = std::move(action), usual]() -> Result<int> {
    PLIM_ASSIGN(ReadingLimits limits, read_reading_limits(*flags));
    const std::string file = file_of(app, model);
    if (file.empty()) return action();
    if (!limits.seconds && usual == UsualLimits::some) limits.seconds = kUsualSeconds;
    if (!limits.memory && usual == UsualLimits::some) limits.memory = usual_memory();
    begin_limits(limits, file, asks_for_json(app));
    return action();
  };
}

}  // namespace plimsoll
