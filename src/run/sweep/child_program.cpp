#include "run/sweep/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace plimsoll {
namespace {

std::atomic<pid_t> running{0};

void pass_on(int signal) {
  if (const pid_t child = running; child > 0) kill(child, signal);
}

// While a child runs: SIGINT is its business, SIGTERM is passed on.
class ChildSignals {
 public:
  ChildSignals() {
    struct sigaction ignore {
    }, pass{};
    ignore.sa_handler = SIG_IGN;
    pass.sa_handler = pass_on;
    sigaction(SIGINT, &ignore, &interrupt_);
    sigaction(SIGTERM, &pass, &terminate_);
  }
  ~ChildSignals() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

class SpawnSetup {
 public:
  SpawnSetup(const std::string& out, bool quiet) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (quiet) posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

}  // namespace

Result<int> run_child_program(const std::vector<std::string>& words, const std::string& out, bool quiet) {
  const ChildSignals signals;
  const SpawnSetup setup(out, quiet);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &setup.files, &setup.attributes, arguments.data(), environ);
  if (failed != 0) return environment_error(fmt::format("cannot be started: {}", std::strerror(failed))).in(words[0]);
  running = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace plimsoll
