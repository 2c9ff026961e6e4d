#include "run/dist/watch.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/text.h"
#include "run/dist/line_reader.h"

namespace plimsoll {
namespace {

constexpr const char* kThisHost = "127.0.0.1";
constexpr size_t kMostStrangers = 1000;
constexpr std::chrono::seconds kStrangerTime{10}, kLeastStart{60};

std::string random_token() {
  uint64_t bits[2] = {};
  const ssize_t got = getrandom(bits, sizeof bits, 0);
  PLIM_CHECK(got == sizeof bits, "the system has no random numbers");
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* one = list; one; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text, sizeof text);
    found.emplace_back(text);
  }
  freeifaddrs(list);
  return found;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string LostWorker::line(Seconds silence) const {
  if (how == LostHow::never_came) return fmt::format("rank {} did not connect within {}", rank, human_time(silence));
  const std::string where = fmt::format("in step {} ({})", step, doing);
  if (how == LostHow::silent)
    return fmt::format("rank {} on {} was silent for {}, {}", rank, host, human_time(silence), where);
  return fmt::format("rank {} on {} is gone, {}", rank, host, where);
}

Result<Watch> Watch::open(int workers, Seconds silence, bool everywhere) {
  Watch watch(workers, silence);
  watch.listener_ = FileHandle(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(everywhere ? INADDR_ANY : INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  auto* const any = reinterpret_cast<sockaddr*>(&place);
  const int fd = watch.listener_.fd();
  if (fd < 0 || bind(fd, any, size) != 0 || listen(fd, 128) != 0 || getsockname(fd, any, &size) != 0)
    return environment_error(fmt::format("no port to watch the workers from: {}", std::strerror(errno)));
  watch.addresses_ = everywhere ? own_addresses() : std::vector<std::string>{kThisHost};
  for (auto& address : watch.addresses_) address += fmt::format(":{}", ntohs(place.sin_port));
  watch.token_ = random_token();
  return watch;
}

Watch::~Watch() = default;

std::string Watch::address() const {
  return fmt::format("{} {} {}", token_, silence_.value, fmt::join(addresses_, ","));
}

bool Watch::is_on_this_host(const std::string& address) {
  const std::string addresses = address.substr(address.rfind(' ') + 1);
  return addresses.starts_with(kThisHost) && addresses.find(',') == std::string::npos;
}

void Watch::accept_stranger() {
  const int fd = accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  FileHandle connection(fd);
  if (strangers_.size() < kMostStrangers) strangers_.push_back({std::move(connection), "", Clock::now()});
}

// "hello TOKEN RANK PROCESS HOST"; whoever says anything else is not one of us.
void Watch::greet(Stranger& stranger) {
  const auto lines = read_lines(stranger.connection.fd(), stranger.unread);
  if (lines && lines->empty()) return;
  std::string hello, token, host;
  int rank = -1, process = 0;
  if (lines) {
    std::istringstream words(lines->front());
    words >> hello >> token >> rank >> process >> host;
  }
  FileHandle connection = std::move(stranger.connection);
  stranger.connection = FileHandle(-1);
  if (hello != "hello" || token != token_ || rank < 0 || rank >= int(workers_.size())) return;
  Worker& worker = workers_[size_t(rank)];
  if (worker.here) return;
  worker.connection = std::move(connection);
  worker.process = process;
  worker.host = printable(host, 100);
  worker.heard = Clock::now();
  worker.here = true;
  worker.unread = std::move(stranger.unread);
  for (size_t i = 1; i < lines->size(); ++i) take(worker, rank, (*lines)[i]);
}

void Watch::take(Worker& worker, int rank, const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "at") {
    words >> worker.step;
    std::getline(words >> std::ws, worker.doing);
    worker.doing = printable(worker.doing, 40);
  } else if (word == "run") {
    std::getline(words >> std::ws, run_directory_);
  } else if (int code = 0; word == "bye" && words >> code) {
    worker.exit_code = code;
    std::string why;
    std::getline(words >> std::ws, why);
    if (why.empty() || failure_) return;
    failure_ = code == 2 ? user_error(printable(why)) : environment_error(printable(why));
    failure_ = std::move(*failure_).in(fmt::format("rank {} on {}", rank, worker.host));
  }
}

bool Watch::read(Worker& worker, int rank) {
  const auto lines = read_lines(worker.connection.fd(), worker.unread);
  if (lines) {
    for (const auto& line : *lines) take(worker, rank, line);
    if (!lines->empty()) worker.heard = Clock::now();
    return true;
  }
  worker.connection = FileHandle(-1);
  worker.gone = true;
  if (!worker.exit_code) lose(rank, LostHow::gone);
  return false;
}

// Only the first one counts: when one is gone, the others go because of it.
void Watch::lose(int rank, LostHow how) {
  const bool one_failed =
      std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.exit_code.value_or(0); });
  if (lost_ || one_failed) return;
  const Worker& worker = workers_[size_t(rank)];
  lost_ = {rank, worker.host, worker.step, worker.doing, how};
}

void Watch::look_for_silence() {
  for (size_t i = 0; i < workers_.size(); ++i) {
    const Worker& worker = workers_[i];
    if (worker.gone || worker.exit_code) continue;
    if (worker.here && seconds_since(worker.heard) > silence_.value) lose(int(i), LostHow::silent);
    if (!worker.here && seconds_since(opened_) > std::max(silence_.value, double(kLeastStart.count())))
      lose(int(i), LostHow::never_came);
  }
}

void Watch::serve(std::chrono::milliseconds timeout) {
  std::vector<pollfd> polled{{listener_.fd(), POLLIN, 0}};
  for (const auto& stranger : strangers_) polled.push_back({stranger.connection.fd(), POLLIN, 0});
  const size_t known = polled.size();
  for (const auto& worker : workers_) polled.push_back({worker.connection.fd(), POLLIN, 0});
  if (poll(polled.data(), polled.size(), int(timeout.count())) > 0) {
    for (size_t i = 0; i < workers_.size(); ++i)
      if (workers_[i].connection.fd() >= 0 && polled[known + i].revents != 0) read(workers_[i], int(i));
    for (size_t i = 0; i < strangers_.size(); ++i)
      if (polled[1 + i].revents != 0) greet(strangers_[i]);
    if (polled[0].revents != 0) accept_stranger();
  }
  std::erase_if(strangers_, [](const Stranger& stranger) {
    return stranger.connection.fd() < 0 || Clock::now() - stranger.came > kStrangerTime;
  });
  if (seconds_since(spoke_) > std::min(1.0, silence_.value / 5)) {
    spoke_ = Clock::now();
    send_all("alive\n");
  }
  look_for_silence();
}

bool Watch::all_trained() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.here && worker.doing != kStarting; });
}

bool Watch::all_done() const {
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.exit_code; });
}

bool Watch::all_left() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return !worker.here || worker.gone || worker.exit_code; });
}

std::optional<int> Watch::exit_code() const {
  for (const auto& worker : workers_)
    if (worker.exit_code.value_or(0) != 0) return worker.exit_code;
  return all_done() ? std::optional(0) : std::nullopt;
}

std::vector<int> Watch::local_processes(const std::string& host) const {
  std::vector<int> found;
  for (const auto& worker : workers_)
    if (worker.here && worker.host == host && worker.process > 1) found.push_back(worker.process);
  return found;
}

void Watch::send_all(const std::string& line) {
  for (const auto& worker : workers_)
    if (worker.connection.fd() >= 0) send(worker.connection.fd(), line.data(), line.size(), MSG_NOSIGNAL);
}

void Watch::ask_to_stop(bool interrupted) { send_all(interrupted ? "stop interrupted\n" : "stop terminated\n"); }

void Watch::end_all() { send_all("end\n"); }

}  // namespace plimsoll
