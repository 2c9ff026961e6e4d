#include "run/bench/child_process.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace plimsoll {
namespace {

// What the child sends: whether it went well, then its output or its error.
constexpr char kGood = 'g', kUser = 'u', kEnvironment = 'e';

void send(int pipe, const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t now = write(pipe, text.data() + sent, text.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return;
    sent += size_t(now);
  }
}

std::string receive(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t now = read(pipe, buffer, sizeof buffer);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return text;
    text.append(buffer, size_t(now));
  }
}

[[noreturn]] void be_child(int pipe, const std::function<Result<std::string>()>& work) {
  const Result<std::string> result = work();
  if (result.ok()) send(pipe, kGood + *result);
  else send(pipe, (result.error().kind == ErrorKind::user ? kUser : kEnvironment) + result.error().line());
  close(pipe);
  _exit(0);
}

}  // namespace

Result<ChildOutcome> in_child(const std::function<Result<std::string>()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return environment_error(fmt::format("no pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return environment_error(fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], work);
  }
  close(ends[1]);
  const std::string text = receive(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status))
    return environment_error(
        fmt::format("the run ended with signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))),
        WTERMSIG(status) == SIGKILL ? "was it out of memory?" : "");
  if (text.empty()) return environment_error(fmt::format("the run ended with exit code {}", WEXITSTATUS(status)));
  if (text[0] == kGood) return ChildOutcome{text.substr(1), Bytes(int64_t(usage.ru_maxrss) * 1024)};
  return text[0] == kUser ? user_error(text.substr(1)) : environment_error(text.substr(1));
}

Result<ChildOutcome> in_this_process(const std::function<Result<std::string>()>& work) {
  PLIM_ASSIGN(std::string output, work());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return ChildOutcome{std::move(output), Bytes(int64_t(usage.ru_maxrss) * 1024)};
}

}  // namespace plimsoll
