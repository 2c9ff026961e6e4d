#include "tell/serve/answer_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

#include "base/spawn.h"

namespace plimsoll {
namespace {

constexpr size_t kLongestAnswer = 64 << 20;

struct Pipe {
  FileHandle read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return environment_error(fmt::format("no pipe could be opened: {}", std::strerror(errno)));
  return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(size_t(count));
  }
  return true;
}

// How a child ended, for the user.
std::string ending(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

}  // namespace

AnswerProcess::~AnswerProcess() { stop(); }

int AnswerProcess::stop() {
  if (pid_ < 0) return 0;
  int status = 0;
  kill(pid_, SIGKILL);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  to_ = FileHandle();
  from_ = FileHandle();
  return status;
}

Status AnswerProcess::start() {
  PLIM_ASSIGN(Pipe in, make_pipe());
  PLIM_ASSIGN(Pipe out, make_pipe());
  std::vector<std::string> words{"plimsoll", "serve", kAnswerFlag};
  if (limits_.memory) words.push_back(fmt::format("{}={}", kAnswerMemoryFlag, limits_.memory->value()));
  if (network_.fd() >= 0) words.emplace_back(kAnswerNetworkFlag);
  if (limits_.patient) words.emplace_back(kAnswerPatientFlag);
  Spawn process(std::move(words));
  process.pass_on(in.read.fd(), STDIN_FILENO);
  process.pass_on(out.write.fd(), STDOUT_FILENO);
  if (network_.fd() >= 0) process.pass_on(network_.fd(), kNetworkDescriptor);
  if (const int failed = process.start("/proc/self/exe", pid_); failed != 0) {
    pid_ = -1;
    return environment_error(fmt::format("no process can be started: {}", std::strerror(failed)));
  }
  to_ = std::move(in.write);
  from_ = std::move(out.read);
  return {};
}

Result<std::string> AnswerProcess::read_line() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(int64_t(limits_.answer.value * 1000));
  std::string line;
  std::vector<char> buffer(64 << 10);
  while (line.size() < kLongestAnswer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{from_.fd(), POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, int(left)) == 0) {
      stop();
      return user_error(fmt::format("the answer took more than {:.0f} s", limits_.answer.value),
                        "a smaller network, or the command line, where --max-seconds sets the limit");
    }
    const ssize_t count = read(from_.fd(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const std::string how = ending(stop());
      return user_error(fmt::format("the process that answers has {}", how),
                        limits_.memory ? fmt::format("it may use {} of memory", human_bytes(*limits_.memory)) : "");
    }
    line.append(buffer.data(), size_t(count));
    if (line.back() == '\n') return line;
  }
  stop();
  return user_error("the answer is too long for the page", "ask on the command line");
}

Result<PageAnswer> AnswerProcess::ask(const std::string& question) {
  const std::lock_guard lock(mutex_);
  if (pid_ < 0) PLIM_TRY(start());
  if (!write_all(to_.fd(), question + "\n")) {  // it died since the last question
    stop();
    PLIM_TRY(start());
    if (!write_all(to_.fd(), question + "\n")) return environment_error("the process that answers does not listen");
  }
  PLIM_ASSIGN(std::string line, read_line());
  PageAnswer answer;
  answer.status = std::atoi(line.substr(0, 3).c_str());
  answer.json = line.substr(std::min<size_t>(line.size(), 4));
  return answer;
}

}  // namespace plimsoll
