#include "run/sweep/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/spawn.h"

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

}  // namespace

Result<int> run_child_program(const std::vector<std::string>& words, const std::string& out, bool quiet) {
  const ChildSignals signals;
  Spawn program(words);
  program.open_to_read(STDIN_FILENO, "/dev/null");
  program.open_to_write(STDOUT_FILENO, out);
  if (quiet) program.open_to_write(STDERR_FILENO, "/dev/null");
  program.reset_signals({SIGINT});
  pid_t child = 0;
  const int failed = program.start(words[0].c_str(), child);
  if (failed != 0) return environment_error(fmt::format("cannot be started: {}", std::strerror(failed))).in(words[0]);
  running = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace plimsoll
