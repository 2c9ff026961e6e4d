#include "tell/serve/training_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/spawn.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kLastBytes = 4096;
// Those that a training ends with when it has trained: to its end, told to stop by SIGTERM, interrupted.
constexpr int kTrained[] = {0, 75, 130};

}  // namespace

Status TrainingProcess::start(const std::vector<std::string>& words, const std::string& folder,
                              const std::string& run) {
  const std::lock_guard lock(mutex_);
  look();
  if (pid_ >= 0) return user_error(fmt::format("{} is still training", in_quotes(state_->run)));
  FileHandle said(memfd_create("messages", MFD_CLOEXEC));
  if (said.fd() < 0) return environment_error(fmt::format("no memory for messages: {}", std::strerror(errno)));
  std::vector<std::string> all{"plimsoll"};
  all.insert(all.end(), words.begin(), words.end());
  Spawn training(std::move(all));
  training.open_to_read(STDIN_FILENO, "/dev/null");
  training.open_to_write(STDOUT_FILENO, "/dev/null");
  training.pass_on(said.fd(), STDERR_FILENO);
  training.reset_signals({SIGPIPE});
  // The server holds signals back from its threads; a training must hear the one that stops it.
  training.unblock_signals();
  training.begin_session();
  if (const int failed = training.start("/proc/self/exe", pid_); failed != 0) {
    pid_ = -1;
    return environment_error(fmt::format("no process can be started: {}", std::strerror(failed)));
  }
  said_ = std::move(said);
  folder_ = folder;
  state_ = State{run, true, ""};
  return {};
}

std::optional<TrainingProcess::State> TrainingProcess::state() {
  const std::lock_guard lock(mutex_);
  look();
  return state_;
}

void TrainingProcess::look() {
  int status = 0;
  if (pid_ < 0 || waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = -1;
  state_->alive = false;
  rmdir(folder_.c_str());  // which does nothing to a folder that has a run
  if (WIFSIGNALED(status)) {
    state_->failed = fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (std::find(std::begin(kTrained), std::end(kTrained), WEXITSTATUS(status)) == std::end(kTrained)) {
    state_->failed = last_words();
    if (state_->failed.empty()) state_->failed = fmt::format("it ended with exit code {}", WEXITSTATUS(status));
  }
  said_ = FileHandle();
}

std::string TrainingProcess::last_words() const {
  constexpr std::string_view kOurs = "plimsoll: ";
  struct stat found {};
  if (fstat(said_.fd(), &found) != 0) return "";
  std::string text(size_t(std::min<int64_t>(found.st_size, kLastBytes)), '\0');
  const ssize_t count = pread(said_.fd(), text.data(), text.size(), found.st_size - int64_t(text.size()));
  text.resize(count > 0 ? size_t(count) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (const size_t line = text.rfind('\n'); line != std::string::npos) text.erase(0, line + 1);
  if (text.starts_with(kOurs)) text.erase(0, kOurs.size());
  return printable(text, 1000);
}

}  // namespace plimsoll
