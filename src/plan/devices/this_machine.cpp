#include "plan/devices/this_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "plan/devices/cgroup_limits.h"

namespace plimsoll {
namespace {

struct Processor {
  int number = 0;
  std::map<std::string, std::string> fields;

  std::string field(const char* name) const {
    const auto at = fields.find(name);
    return at == fields.end() ? "" : at->second;
  }
};

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// /proc/cpuinfo: a block of "field : value" for each logical CPU.
std::vector<Processor> read_processors(const std::string& root) {
  std::vector<Processor> processors;
  std::istringstream lines(system_file(root + "/proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string field = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (field == "processor") {
      const auto number = parse_cpu_list(value);
      processors.push_back({.number = number ? *number->begin() : int(processors.size())});
    } else if (!processors.empty()) {
      processors.back().fields.emplace(field, value);
    }
  }
  return processors;
}

// Logical CPUs that share a core count once. Where cores are not told apart, each is one.
Count count_cores(const std::vector<Processor>& processors) {
  std::set<std::string> cores;
  for (const auto& cpu : processors) {
    const std::string core = cpu.field("core id");
    cores.insert(core.empty() ? fmt::format("cpu {}", cpu.number) : cpu.field("physical id") + "/" + core);
  }
  return Count(int64_t(std::max<size_t>(1, cores.size())));
}

Count count_threads(const std::vector<Processor>& processors) {
  return Count(int64_t(std::max<size_t>(1, processors.size())));
}

// The number a text begins with; 0 without one. Whatever the locale.
double leading_number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "… @ 2.80GHz" in the name is the nominal clock; "cpu MHz" is the clock of the moment.
std::optional<Hertz> nominal_clock(const Processor& cpu) {
  const std::string name = cpu.field("model name");
  if (const size_t at = name.rfind("@ "); at != std::string::npos && name.ends_with("GHz"))
    if (const double ghz = leading_number(name.substr(at + 2)); ghz > 0.1 && ghz < 20) return Hertz{ghz * 1e9};
  if (const double mhz = leading_number(cpu.field("cpu MHz")); mhz > 100 && mhz < 20e3) return Hertz{mhz * 1e6};
  return std::nullopt;
}

std::string vendor_of(const std::string& id) {
  if (id == "GenuineIntel") return "intel";
  if (id == "AuthenticAMD") return "amd";
  if (id == "0x41") return "arm";
  return "";
}

void describe(const Processor& cpu, MachineFacts& facts) {
  facts.cpu = cpu.field("model name");
  facts.vendor = vendor_of(cpu.field("vendor_id") + cpu.field("CPU implementer"));
  facts.clock = nominal_clock(cpu);
  std::istringstream flags(cpu.field("flags") + cpu.field("Features"));
  for (std::string flag; flags >> flag;) facts.flags.push_back(flag);
}

std::optional<Bytes> total_memory(const std::string& root) {
  std::istringstream words(system_file(root + "/proc/meminfo"));
  for (std::string word; words >> word;) {
    int64_t kib = 0;
    if (word == "MemTotal:" && words >> kib && kib > 0) return Bytes(1024) * kib;
  }
  return std::nullopt;
}

std::optional<CpuSet> affinity(const std::string& root) {
  std::istringstream lines(system_file(root + "/proc/self/status"));
  static const std::string kField = "Cpus_allowed_list:";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kField)) return parse_cpu_list(trimmed(line.substr(kField.size())));
  return std::nullopt;
}

void keep_only(std::vector<Processor>& processors, const std::optional<CpuSet>& allowed) {
  if (allowed) std::erase_if(processors, [&](const Processor& cpu) { return !allowed->contains(cpu.number); });
}

}  // namespace

bool MachineFacts::has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

Count MachineFacts::cores() const {
  return quota ? std::min(allowed_cores, Count(std::max<int64_t>(1, int64_t(*quota)))) : allowed_cores;
}

Count MachineFacts::threads() const {
  return quota ? std::min(allowed_threads, Count(std::max<int64_t>(1, int64_t(*quota)))) : allowed_threads;
}

std::optional<Bytes> MachineFacts::memory() const { return memory_limit ? memory_limit : machine_memory; }

std::vector<std::string> MachineFacts::limits() const {
  std::vector<std::string> lines;
  if (memory_limit)
    lines.push_back(fmt::format("the cgroup limits memory to {} of the machine's {}: planning with {}",
                                human_bytes(*memory_limit), human_bytes(*machine_memory), human_bytes(*memory_limit)));
  if (allowed_threads < machine_threads)
    lines.push_back(fmt::format("cpuset or affinity allow {} of the machine's {} threads: planning with {}",
                                allowed_threads.value(), machine_threads.value(), allowed_threads.value()));
  if (quota)
    lines.push_back(fmt::format("the cgroup limits CPU time to {:.3g} of {} threads: planning with {}", *quota,
                                allowed_threads.value(), threads().value()));
  return lines;
}

MachineFacts read_this_machine(const std::string& root) {
  MachineFacts facts;
  auto processors = read_processors(root);
  if (!processors.empty()) describe(processors.front(), facts);
  facts.machine_cores = count_cores(processors);
  facts.machine_threads = count_threads(processors);
  const CgroupLimits cgroup = read_cgroup_limits(root);
  keep_only(processors, affinity(root));
  keep_only(processors, cgroup.cpuset);
  facts.allowed_cores = count_cores(processors);
  facts.allowed_threads = count_threads(processors);
  if (cgroup.cpus && *cgroup.cpus > 0 && *cgroup.cpus < double(facts.allowed_threads.value()))
    facts.quota = cgroup.cpus;
  facts.machine_memory = total_memory(root);
  if (facts.machine_memory && cgroup.memory && *cgroup.memory < *facts.machine_memory)
    facts.memory_limit = cgroup.memory;
  return facts;
}

}  // namespace plimsoll
