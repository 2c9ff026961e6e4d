#include "run/measure/utilisation.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <string>
#include <utility>

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// "VmRSS:     1234 kB" of /proc/self/status.
Bytes status_line(std::string_view name) {
  const std::string status = system_file("/proc/self/status");
  size_t at = status.find(name);
  if (at == std::string::npos) return Bytes(0);
  at = status.find_first_of("0123456789", at);
  if (at == std::string::npos) return Bytes(0);
  int64_t kib = 0;
  std::from_chars(status.data() + at, status.data() + status.size(), kib);
  return Bytes(kib) * 1024;
}

struct MachineTime {
  int64_t busy = 0, all = 0;
};

// What follows the name in a line of /proc/stat: "cpu  user nice system idle iowait …".
void add_line(std::string_view numbers, MachineTime& time) {
  const char *at = numbers.data(), *end = at + numbers.size();
  for (int field = 0; field < 8; ++field) {
    while (at < end && *at == ' ') ++at;
    int64_t ticks = 0;
    const auto read = std::from_chars(at, end, ticks);
    if (read.ec != std::errc()) break;
    at = read.ptr;
    time.all += ticks;
    if (field != 3 && field != 4) time.busy += ticks;
  }
}

// The line "cpu " is the sum of all; after it each has its own, "cpu0 ".
MachineTime machine_time(std::string_view stat, const CpuSet& processors) {
  MachineTime all, some;
  while (stat.starts_with("cpu")) {
    const std::string_view line = stat.substr(3, stat.find('\n') - 3);
    stat.remove_prefix(std::min(stat.size(), line.size() + 4));
    const size_t name = std::min(line.size(), line.find(' '));
    int number = -1;
    std::from_chars(line.data(), line.data() + name, number);
    if (name == 0) add_line(line, all);
    else if (processors.contains(number)) add_line(line.substr(name), some);
  }
  return some.all > 0 ? some : all;
}

}  // namespace

Bytes resident_now() { return status_line("VmRSS:"); }
Bytes resident_peak() { return status_line("VmHWM:"); }

Seconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return {double(now.tv_sec) + double(now.tv_nsec) * 1e-9};
}

CpuSet usable_processors() {
  CpuSet processors;
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &mask)) processors.insert(i);
  return processors;
}

ProcessorsTime processors_time(const std::string& stat, const CpuSet& processors) {
  const double ticks = double(sysconf(_SC_CLK_TCK));
  const MachineTime machine = machine_time(stat, processors);
  return {{double(machine.all) / ticks}, {double(machine.busy) / ticks}, processor_time()};
}

ProcessorsTime processors_time() { return processors_time(system_file("/proc/stat"), usable_processors()); }

double share_of_others(const ProcessorsTime& from, const ProcessorsTime& to) {
  const double all = to.all.value - from.all.value;
  if (all <= 0) return 0;
  const double busy = to.busy.value - from.busy.value, own = to.own.value - from.own.value;
  return std::clamp((busy - own) / all, 0.0, 1.0);
}

Utilisation::Utilisation(Seconds interval) : thread_([this, interval] { run(interval); }) {}

Utilisation::~Utilisation() { stop(); }

void Utilisation::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<UtilisationSample> Utilisation::end() {
  stop();
  return take();
}

std::vector<UtilisationSample> Utilisation::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(samples_, {});
}

void Utilisation::run(Seconds interval) {
  sigset_t all;  // signals are for the thread that trains
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const auto start = Clock::now();
  double before = 0, cpu_before = processor_time().value;
  const CpuSet usable = usable_processors();
  std::string stat = system_file("/proc/stat");
  MachineTime machine_before = machine_time(stat, {});
  ProcessorsTime processors_before = processors_time(stat, usable);
  std::unique_lock lock(mutex_);
  for (bool last = false; !last;) {
    last = wake_.wait_for(lock, std::chrono::duration<double>(interval.value), [this] { return stop_; });
    lock.unlock();
    const double now = seconds_since(start), cpu = processor_time().value;
    stat = system_file("/proc/stat");
    const MachineTime machine = machine_time(stat, {});
    const int64_t all_ticks = machine.all - machine_before.all;
    UtilisationSample sample{{now}, (cpu - cpu_before) / (now - before), 0, 0, resident_now()};
    if (all_ticks > 0) sample.machine = double(machine.busy - machine_before.busy) / double(all_ticks);
    const ProcessorsTime processors = processors_time(stat, usable);
    sample.others = share_of_others(processors_before, processors);
    processors_before = processors;
    before = now;
    cpu_before = cpu;
    machine_before = machine;
    lock.lock();
    samples_.push_back(sample);
  }
}

}  // namespace plimsoll
