#include "run/dist/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/own_program.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "run/dist/host_name.h"
#include "run/dist/mpirun_text.h"
#include "run/dist/watch.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTurn{50};
// mpirun on a busy machine sees late which worker was ended, and by which signal.
constexpr milliseconds kNotice{2'000};
constexpr milliseconds kGrace{3'000};  // until mpirun has cleared up by itself
constexpr int kExitNoProgram = 127, kExitInterruptedTwice = 130, kExitToldTwice = 75;

volatile std::sig_atomic_t interrupts = 0, terminations = 0;

extern "C" void count_signal(int signal) {
  if (signal == SIGINT) interrupts = interrupts + 1;
  else terminations = terminations + 1;
}

// Signals are for this process; it tells the workers. mpirun would end them at once.
class Signals {
 public:
  Signals() {
    interrupts = 0;
    terminations = 0;
    struct sigaction action {};
    action.sa_handler = count_signal;
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~Signals() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3];
};

// Containers often forbid it, and Open MPI would complain at every message.
bool may_read_other_memory() {
  char from = 1, to = 0;
  iovec there{&from, 1}, here{&to, 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

// What mpirun and the workers find in their environment, unless the user has set it.
std::vector<std::pair<const char*, std::string>> environment(const LaunchOptions& options) {
  std::vector<std::pair<const char*, std::string>> list{
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},  // in a container there is often nobody else
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},  // who waits for a message leaves the core to who computes
      {"OMPI_MCA_pml", "ob1"},
      {"HWLOC_HIDE_ERRORS", "2"}};
  if (options.hosts.empty() && !getenv("SLURM_JOB_ID")) list.push_back({"OMPI_MCA_btl", "self,vader"});
  if (!may_read_other_memory()) list.push_back({"OMPI_MCA_btl_vader_single_copy_mechanism", "none"});
  return list;
}

std::vector<std::string> mpirun_words(const LaunchOptions& options) {
  std::vector<std::string> words{"mpirun", "-np", std::to_string(options.workers), "--bind-to", "none"};
  if (options.hosts.empty()) words.push_back("--oversubscribe");
  else words.insert(words.end(), {"--host", options.hosts});
  words.insert(words.end(), {"--stdin", "none", "-x", kWatchVariable});
  if (options.terminal) words.insert(words.end(), {"-x", kTerminalVariable});
  words.insert(words.end(), options.words.begin(), options.words.end());
  return words;
}

// One start of all workers, to its end.
class Job {
 public:
  Job(const LaunchOptions& options, Watch watch) : options_(options), watch_(std::move(watch)) {}
  ~Job() {
    if (process_ > 0) clear_up();
    end_pump();
  }

  Status start(const std::vector<std::string>& words);
  Result<int> wait();

  bool may_restart() const { return watch_.lost() && !watch_.run_directory().empty(); }
  const std::string& run_directory() const { return watch_.run_directory(); }

 private:
  [[noreturn]] void become_mpirun(const std::vector<std::string>& words, int error_pipe, pid_t launcher) const;
  bool ended();
  bool outstays();
  void wait_for_end(milliseconds most);
  void hear_mpirun();
  void hear_last_words();
  void clear_up();
  void end_pump() {
    over_ = true;
    if (pump_.joinable()) pump_.join();
  }
  std::optional<int> hear_signals();
  Result<int> outcome();

  const LaunchOptions& options_;
  Watch watch_;
  pid_t process_ = -1;
  int status_ = 0;
  std::sig_atomic_t interrupts_ = 0, terminations_ = 0;
  std::optional<Clock::time_point> done_;  // since when all have said how they end
  std::thread pump_;
  std::atomic<bool> over_ = false;  // mpirun has ended
  MpirunText text_;                 // the pump's until it has ended
};

void Job::become_mpirun(const std::vector<std::string>& words, int error_pipe, pid_t launcher) const {
  setpgid(0, 0);  // the terminal's Ctrl-C is for our parent alone
  // By force: an mpirun that is told to end while it starts may wait for itself for ever. The workers see for
  // themselves that their launcher is gone.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(kExitNoProgram);  // it went before it was watched
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(error_pipe, STDERR_FILENO);
  for (const auto& [name, value] : environment(options_)) setenv(name, value.c_str(), 0);
  setenv(kWatchVariable, watch_.address().c_str(), 1);
  if (options_.terminal) setenv(kTerminalVariable, "1", 1);
  else unsetenv(kTerminalVariable);
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(kExitNoProgram);
}

Status Job::start(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return environment_error(fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t launcher = getpid();
  process_ = fork();
  if (process_ == 0) become_mpirun(words, ends[1], launcher);
  close(ends[1]);
  if (process_ < 0) {
    close(ends[0]);
    return environment_error(fmt::format("no process: {}", std::strerror(errno)));
  }
  pump_ = std::thread([this, from = ends[0]] {
    const FileHandle pipe(from);
    char buffer[4096];
    // Whoever is left of a start by mpirun may hold the other end open for long: what has come is read, and no more.
    for (pollfd polled{from, POLLIN, 0};;) {
      const int ready = poll(&polled, 1, int(kTurn.count()));
      if (ready == 0 && over_) return;
      if (ready <= 0) continue;
      const ssize_t got = read(from, buffer, sizeof buffer);
      if (got == 0 || (got < 0 && errno != EINTR)) return;
      if (got > 0) options_.pass(text_.pass(std::string(buffer, size_t(got))));
    }
  });
  return {};
}

bool Job::ended() {
  if (process_ < 0) return true;
  if (waitpid(process_, &status_, WNOHANG) != process_) return false;
  process_ = -1;
  return true;
}

// Whether mpirun stays though all workers are done: it never hears of their end when a cable was cut just then.
bool Job::outstays() {
  if (!watch_.all_done()) return false;
  if (!done_) done_ = Clock::now();
  return Clock::now() - *done_ > std::chrono::duration<double>(options_.silence.value);
}

void Job::wait_for_end(milliseconds most) {
  const auto until = Clock::now() + most;
  while (!ended() && Clock::now() < until) watch_.serve(kTurn);
}

// mpirun sees that one is gone too, and says by which signal, before it sees the others go.
void Job::hear_mpirun() {
  wait_for_end(kNotice);
  watch_.end_all();
  wait_for_end(kGrace);
}

// Workers end before an mpirun that ends by itself: what they said last is on its way.
void Job::hear_last_words() {
  watch_.serve(milliseconds(0));
  const auto until = Clock::now() + kGrace;
  while (WIFEXITED(status_) && !watch_.all_left() && Clock::now() < until) watch_.serve(kTurn);
}

// Whatever is left: asked by word, by mpirun, and in the end by force.
void Job::clear_up() {
  watch_.end_all();
  if (!ended()) kill(process_, SIGTERM);
  wait_for_end(kGrace);
  std::error_code ignored;
  const auto program = own_program();
  for (const int process : watch_.local_processes(host_name()))
    if (program.ok() && std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), ignored) == *program)
      kill(process, SIGKILL);
  if (!ended()) {
    kill(process_, SIGKILL);
    waitpid(process_, &status_, 0);
    process_ = -1;
  }
}

// The exit code when they are not to be waited for any longer.
std::optional<int> Job::hear_signals() {
  const bool interrupted = interrupts != interrupts_, told = terminations != terminations_;
  if (!interrupted && !told) return std::nullopt;
  const bool again = interrupted && interrupts_ > 0;
  interrupts_ = interrupts;
  terminations_ = terminations;
  if (again || !watch_.all_trained()) return interrupted ? kExitInterruptedTwice : kExitToldTwice;
  options_.say(interrupted ? "stopping after this step; Ctrl-C again ends it at once"
                           : "told to stop; stopping after this step");
  watch_.ask_to_stop(interrupted);
  return std::nullopt;
}

Result<int> Job::outcome() {
  end_pump();
  const auto signal = text_.ended_by_signal();
  if (watch_.lost()) {
    LostWorker lost = *watch_.lost();
    std::string line = lost.line(options_.silence);
    if (signal && signal->rank == lost.rank && lost.how == LostHow::gone)
      line += fmt::format(": signal {} ({})", signal->signal, strsignal(signal->signal));
    else if (WIFSIGNALED(status_) && lost.how == LostHow::gone)
      line += fmt::format(": mpirun was ended by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)));
    else if (!signal && lost.doing == kStarting && !text_.kept().empty())  // MPI could not begin, and said why
      line += fmt::format(": {}", printable(text_.kept(), 600));
    if (!run_directory().empty()) line += fmt::format("; its log is {}/log.jsonl", printable(run_directory(), 200));
    return environment_error(line);
  }
  if (watch_.failure()) return *watch_.failure();
  if (const auto code = watch_.exit_code()) return *code;
  if (WIFSIGNALED(status_))
    return environment_error(
        fmt::format("mpirun was ended by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_))));
  if (WEXITSTATUS(status_) == kExitNoProgram)
    return environment_error("mpirun cannot be started", "install openmpi-bin, or leave out " + named("np"));
  std::string why = printable(text_.kept(), 600);
  if (signal) why = fmt::format("rank {} on {} ended by signal {}", signal->rank, signal->host, signal->signal);
  return environment_error(fmt::format("mpirun ended with exit code {} before the workers began{}{}",
                                       WEXITSTATUS(status_), why.empty() ? "" : ": ", why));
}

Result<int> Job::wait() {
  while (!ended()) {
    watch_.serve(kTurn);
    if (const auto code = hear_signals()) {
      clear_up();
      return *code;
    }
    if (!watch_.lost() && !watch_.failure() && !outstays()) continue;
    if (watch_.lost() && watch_.lost()->how == LostHow::gone) hear_mpirun();
    clear_up();
  }
  hear_last_words();
  clear_up();
  return outcome();
}

}  // namespace

Result<int> launch(const LaunchOptions& options) {
  const Signals signals;
  std::vector<std::string> words = mpirun_words(options);
  for (int restarts = 0;; ++restarts) {
    PLIM_ASSIGN(Watch watch, Watch::open(options.workers, options.silence, !options.hosts.empty()));
    Job job(options, std::move(watch));
    PLIM_TRY(job.start(words));
    auto result = job.wait();
    if (result.ok() || !job.may_restart() || restarts >= options.max_restarts) return result;
    options.say(fmt::format("{}; restart {} of {} from the last checkpoint", result.error().line(), restarts + 1,
                            options.max_restarts));
    words = mpirun_words(options);
    const auto given = [&](const std::string& flag) {
      return std::any_of(words.begin(), words.end(),
                         [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); });
    };
    const bool named = given("--run-dir");
    if (!given("--resume")) words.push_back("--resume");
    if (!named) words.insert(words.end(), {"--run-dir", job.run_directory()});
  }
}

}  // namespace plimsoll
