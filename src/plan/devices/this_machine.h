// What the system says of the machine we run on, and what it leaves us of it: /proc and the cgroup files, no
// libraries. Nothing is measured here. Whatever the system does not say is absent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace plimsoll {

struct MachineFacts {
  std::string cpu, vendor;         // "Intel(R) Xeon(R) …", "intel"; empty when the system does not say
  std::vector<std::string> flags;  // instruction sets as the kernel names them
  std::optional<Hertz> clock;      // nominal: as the name has it, else the present one

  Count machine_cores, machine_threads;  // of the machine; at least 1
  Count allowed_cores, allowed_threads;  // that affinity and cpuset leave us; at least 1
  std::optional<double> quota;           // CPU time the cgroup grants, when less than the allowed threads

  std::optional<Bytes> machine_memory;
  std::optional<Bytes> memory_limit;  // of the cgroup, when less than the machine's

  bool has(std::string_view flag) const;

  // What a plan may count on: affinity, cpuset, quota and the memory's limit respected.
  Count cores() const;
  Count threads() const;
  std::optional<Bytes> memory() const;

  // A sentence for each limit that binds, for the user.
  std::vector<std::string> limits() const;
};

// `root` stands before every path; tests put a made-up tree there.
MachineFacts read_this_machine(const std::string& root = "");

}  // namespace plimsoll
