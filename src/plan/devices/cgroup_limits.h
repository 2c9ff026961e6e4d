// What the cgroups of this process (version 1, 2 or both at once) leave it of the machine. A limit of any
// ancestor binds, so the smallest on the way up counts.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/units.h"

namespace plimsoll {

using CpuSet = std::set<int>;  // numbers of logical CPUs

struct CgroupLimits {
  std::optional<Bytes> memory;  // absent: no limit
  std::optional<double> cpus;   // time of so many CPUs, such as 1.5
  std::optional<CpuSet> cpuset;
};

// `root` stands before /proc and before every mount point; tests put a made-up tree there.
CgroupLimits read_cgroup_limits(const std::string& root = "");

// "0-3,8": the numbers; nothing when it is not such a list.
std::optional<CpuSet> parse_cpu_list(std::string_view text);

// The whole of a file of /proc or /sys, whose size the system does not know in advance; "" when it is not readable.
std::string system_file(const std::string& path);

}  // namespace plimsoll
