#include "run/dist/pulse.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>
#include <thread>

#include "run/dist/daemon_above.h"
#include "run/dist/line_reader.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kExitLost = 4;
constexpr int kConnectTime = 5'000, kSoon = 50;  // milliseconds
constexpr std::chrono::seconds kFarewell{3};

int64_t milliseconds_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
}

// nullopt when nobody answers there in time.
std::optional<FileHandle> connect_to(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in place{};
  place.sin_family = AF_INET;
  if (colon == std::string::npos || inet_pton(AF_INET, address.substr(0, colon).c_str(), &place.sin_addr) != 1)
    return std::nullopt;
  place.sin_port = htons(uint16_t(std::atoi(address.c_str() + colon + 1)));
  FileHandle connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int fd = connection.fd(), yes = 1;
  if (fd < 0) return std::nullopt;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connect(fd, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
    if (errno != EINPROGRESS) return std::nullopt;
    pollfd polled{fd, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(&polled, 1, kConnectTime) != 1) return std::nullopt;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) return std::nullopt;
  }
  return connection;
}

}  // namespace

struct Pulse::Thread {
  std::thread thread;
};

Result<std::unique_ptr<Pulse>> Pulse::begin(Settings settings) {
  std::istringstream words(settings.address);
  std::string token, list;
  double silence = 0;
  words >> token >> silence >> list;
  std::istringstream addresses(list);
  for (std::string address; std::getline(addresses, address, ',');) {
    auto connection = connect_to(address);
    if (!connection) continue;
    const std::string hello = fmt::format("hello {} {} {} {}\n", token, settings.rank, getpid(), settings.host);
    if (send(connection->fd(), hello.data(), hello.size(), MSG_NOSIGNAL) != ssize_t(hello.size())) continue;
    std::unique_ptr<Pulse> pulse(new Pulse(std::move(settings), *std::move(connection), {silence}));
    sigset_t all, before;  // signals are the main thread's
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pulse->thread_->thread = std::thread([raw = pulse.get()] { raw->run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return pulse;
  }
  return environment_error(fmt::format("the process that watches the workers does not answer at {}", list));
}

Pulse::Pulse(Settings settings, FileHandle connection, Seconds silence)
    : settings_(std::move(settings)),
      connection_(std::move(connection)),
      silence_(silence),
      thread_(std::make_unique<Thread>()) {}

Pulse::~Pulse() {
  quit_ = true;
  shutdown(connection_.fd(), SHUT_RDWR);
  thread_->thread.join();
}

void Pulse::say(const std::string& line) {
  const ssize_t ignored = send(connection_.fd(), line.data(), line.size(), MSG_NOSIGNAL);
  (void)ignored;  // a broken connection is noticed where it is read
}

void Pulse::at(int64_t step, const char* doing) {
  step_ = step;
  doing_ = doing;
  if (milliseconds_now() - said_ > kSoon) say_where();
}

void Pulse::say_where() {
  said_ = milliseconds_now();
  say(fmt::format("at {} {}\n", step_.load(), doing_.load()));
}

void Pulse::run_directory(const std::string& path) { say(fmt::format("run {}\n", path)); }

void Pulse::bye(int exit_code) {
  exit_code_ = exit_code;
  bye_ = true;
  say(fmt::format("bye {}\n", exit_code));
}

void Pulse::fail(int exit_code, const std::string& line) { say(fmt::format("bye {} {}\n", exit_code, line)); }

void Pulse::leave(const char* why) {
  // Rank 1 speaks for all: rank 0 may be what is gone.
  if (settings_.rank == 1 && settings_.lost) settings_.lost(fmt::format("{}, in step {}", why, step_.load()));
  end_daemon_above();
  _exit(kExitLost);
}

void Pulse::leave_after_bye() {
  for (const auto until = Clock::now() + kFarewell; !quit_ && Clock::now() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(kSoon));
  if (quit_) return;
  end_daemon_above();
  _exit(exit_code_);
}

void Pulse::take(const std::string& line) {
  if (line == "end" && !bye_) _exit(kExitLost);  // who sent it says why
  if (line.starts_with("stop")) settings_.stop(line == "stop interrupted");
}

void Pulse::run() {
  const auto each = std::chrono::duration<double>(std::min(1.0, silence_.value / 5));
  std::string unread;
  auto heard = Clock::now();
  while (!quit_) {
    say_where();
    const auto next = Clock::now() + each;
    while (!quit_ && Clock::now() < next) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
      pollfd polled{connection_.fd(), POLLIN, 0};
      if (poll(&polled, 1, int(std::max<int64_t>(left.count(), 1))) <= 0) continue;
      const auto lines = read_lines(connection_.fd(), unread);
      if (!lines) {
        if (quit_) return;
        if (bye_) return leave_after_bye();
        leave("the process that watches the workers is gone");
      }
      heard = Clock::now();
      for (const auto& line : *lines) take(line);
    }
    if (!bye_ && Clock::now() - heard > std::chrono::duration<double>(silence_.value))
      leave("the process that watches the workers has been silent for too long");
  }
}

}  // namespace plimsoll
