#include "run/train/start_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/numbers.h"
#include "base/own_program.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "run/dist/communicator.h"
#include "run/dist/launch.h"
#include "run/train/run_directory.h"

namespace plimsoll {
namespace {

// What was typed, with the program by its own path.
Result<std::vector<std::string>> typed_words() {
  PLIM_ASSIGN(const std::string program, own_program());
  std::vector<std::string> words{program};
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string word;
  std::getline(file, word, '\0');
  while (std::getline(file, word, '\0')) words.push_back(word);
  return words;
}

// A run that goes on has as many as it was started with, unless another number is given.
int workers_of_run(const TrainRequest& request) {
  if (!request.resume || !request.run_dir) return 1;
  const auto config = read_config(*request.run_dir);
  if (!config.ok()) return 1;  // told by whoever needs it
  const auto workers = config->find("workers");
  return workers != config->end() && workers->is_number_integer() ? workers->get<int>() : 1;
}

}  // namespace

Result<int> room_on(const std::string& hosts) {
  int64_t room = 0;
  for (const auto& host : split(hosts, ',')) {
    const size_t colon = host.rfind(':');
    if (host.empty() || colon == 0)
      return user_error(fmt::format("{} is {}, expected names with numbers", named("hosts"), in_quotes(hosts)),
                        "for example a:4,b:4");
    int64_t here = 1;
    if (colon != std::string::npos) {
      PLIM_ASSIGN(here, parse_integer(named("hosts"), host.substr(colon + 1), 1, 100'000));
    }
    room += here;
  }
  return int(std::min<int64_t>(room, 1'000'000));
}

Result<std::optional<int>> start_workers(const TrainRequest& request, const WorkersShown& shown) {
  if (started_by_mpi()) return std::optional<int>();
  int workers = int(request.np.value_or(workers_of_run(request)));
  if (!request.hosts.empty()) {
    PLIM_ASSIGN(const int room, room_on(request.hosts));
    if (!request.np) workers = room;
    if (workers > room)
      return user_error(fmt::format("{} is {}, but {} has room for {}", named("np"), workers, named("hosts"), room),
                        "name more hosts, or more workers for each");
  }
  if (workers == 1 && request.hosts.empty() && request.max_restarts == 0) return std::optional<int>();
  if (!built_with_mpi()) return mpi_communicator().error();  // which says why
  LaunchOptions options;
  options.workers = workers;
  options.hosts = request.hosts;
  options.silence = Seconds{request.silence};
  options.max_restarts = int(request.max_restarts);
  options.terminal = shown.terminal;
  options.say = shown.say;
  options.pass = shown.pass;
  PLIM_ASSIGN(options.words, typed_words());
  PLIM_ASSIGN(const int code, launch(options));
  return std::optional(code);
}

bool is_shown_on_terminal() { return std::getenv(kTerminalVariable) != nullptr; }

}  // namespace plimsoll
