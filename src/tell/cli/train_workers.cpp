#include "tell/cli/train_workers.h"

#include <fmt/format.h>

#include <fstream>
#include <mutex>

#include "base/numbers.h"
#include "base/own_program.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "run/dist/communicator.h"
#include "run/dist/launch.h"
#include "run/train/run_directory.h"
#include "tell/cli/sent_drawings.h"

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

// A run that goes on has as many as it was begun with, unless another number is given.
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
      return user_error(fmt::format("--hosts is {}, expected names with numbers", in_quotes(hosts)),
                        "for example --hosts a:4,b:4");
    int64_t here = 1;
    if (colon != std::string::npos) {
      PLIM_ASSIGN(here, parse_integer("--hosts", host.substr(colon + 1), 1, 100'000));
    }
    room += here;
  }
  return int(std::min<int64_t>(room, 1'000'000));
}

Result<std::optional<int>> start_workers(const TrainRequest& request) {
  if (started_by_mpi()) return std::optional<int>();
  int workers = int(request.np.value_or(workers_of_run(request)));
  if (!request.hosts.empty()) {
    PLIM_ASSIGN(const int room, room_on(request.hosts));
    if (!request.np) workers = room;
    if (workers > room)
      return user_error(fmt::format("--np is {}, but --hosts has room for {}", workers, room),
                        "name more hosts, or more workers for each");
  }
  if (workers == 1 && request.hosts.empty() && request.max_restarts == 0) return std::optional<int>();
  if (!built_with_mpi()) return mpi_communicator().error();  // which says why
  LaunchOptions options;
  options.workers = workers;
  options.hosts = request.hosts;
  options.silence = Seconds{request.silence};
  options.max_restarts = int(request.max_restarts);
  options.terminal = TerminalLine::is_there();
  SentDrawings shown;
  std::mutex showing;  // workers' words come on a thread of their own
  options.say = [&](const std::string& sentence) {
    const std::lock_guard lock(showing);
    shown.print(fmt::format("plimsoll: {}\n", printable(sentence)));
  };
  options.pass = [&](const std::string& text) {
    const std::lock_guard lock(showing);
    shown.show(text);
  };
  PLIM_ASSIGN(options.words, typed_words());
  const auto code = launch(options);
  shown.clear();
  if (!code.ok()) return code.error();
  return std::optional(*code);
}

}  // namespace plimsoll
