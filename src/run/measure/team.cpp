#include "run/measure/team.h"

#include <fmt/format.h>
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <vector>

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFewest = 3;                         // repetitions
constexpr double kPatience = 2;                    // times the time that all repetitions should take
constexpr int64_t kMostRounds = int64_t{1} << 50;  // work that takes no time has no rate; it is not measured for ever

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The time that the calling thread really had, so that a busy machine does not look like long work.
double own_time(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

// Members wait at the gate until all are there; the one who opens it takes the time.
struct Gate {
  std::atomic<int> waiting = 0;
  std::atomic<int> state = 0;  // 0 closed, 1 open, -1 the team did not come together

  bool pass() {
    waiting.fetch_add(1);
    waiting.notify_all();
    state.wait(0);
    return state.load() == 1;
  }
  void wait_for(int members) {
    for (int there = waiting.load(); there < members; there = waiting.load()) waiting.wait(there);
  }
  void open(int as) {
    state.store(as);
    state.notify_all();
  }
};

struct Member {
  int number = 0;
  Gate* gate = nullptr;
  const std::function<void(int)>* work = nullptr;
};

void* run_member(void* argument) {
  const auto& member = *static_cast<const Member*>(argument);
  if (member.gate->pass()) (*member.work)(member.number);
  return nullptr;
}

}  // namespace

// With pthread_create, as std::thread would throw when the system has no thread left to give.
Result<Seconds> run_together(int threads, const std::function<void(int)>& work) {
  Gate gate;
  std::vector<Member> members(static_cast<size_t>(threads));
  std::vector<pthread_t> started;
  for (int number = 1; number < threads; ++number) {
    Member& member = members[size_t(number)] = {number, &gate, &work};
    pthread_t thread{};
    if (pthread_create(&thread, nullptr, run_member, &member) != 0) break;
    started.push_back(thread);
  }
  const bool complete = int(started.size()) == threads - 1;
  if (complete) gate.wait_for(threads - 1);
  const auto start = Clock::now();
  gate.open(complete ? 1 : -1);
  if (complete) work(0);
  for (const pthread_t thread : started) pthread_join(thread, nullptr);
  if (!complete)
    return environment_error(fmt::format("thread {} of {} could not be started", started.size() + 2, threads),
                             "is the number of processes limited?");
  return Seconds{seconds_since(start)};
}

Result<double> median_rate(int threads, const Effort& effort, const std::function<void(int, int64_t)>& work) {
  int64_t rounds = 1;
  for (; rounds < kMostRounds; rounds *= 2) {
    const double took = own_time([&] { work(0, rounds); });
    if (took < effort.each.value / 4) continue;
    rounds = std::max<int64_t>(1, std::llround(double(rounds) * effort.each.value / took));
    break;
  }
  std::vector<double> rates;
  const auto start = Clock::now();
  for (int i = 0; i < effort.repetitions; ++i) {
    if (i >= kFewest && seconds_since(start) > kPatience * effort.repetitions * effort.each.value) break;
    PLIM_ASSIGN(const Seconds took, run_together(threads, [&](int member) { work(member, rounds); }));
    rates.push_back(double(rounds) * threads / std::max(took.value, 1e-9));
  }
  const size_t middle = rates.size() / 2;
  std::nth_element(rates.begin(), rates.begin() + std::ptrdiff_t(middle), rates.end());
  return rates[middle];
}

}  // namespace plimsoll
