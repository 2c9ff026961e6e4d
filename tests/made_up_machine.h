// A folder that looks like the root of a machine: /proc and cgroup files as a test wants them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/harness/run_program.h"

namespace plimsoll {

class MadeUpMachine {
 public:
  // Two sockets of two cores of two threads each, 8 GiB, and nothing that limits them.
  MadeUpMachine() {
    put("/proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         1000000 kB\n");
    std::string cpus;
    for (int i = 0; i < 8; ++i) cpus += cpu(i, i % 4 / 2, i % 2);
    put("/proc/cpuinfo", cpus);
    put("/proc/self/status", "Name:\tplimsoll\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n");
  }

  const std::string& root() const { return folder_.path(); }

  void put(const std::string& path, const std::string& text) const {
    const std::string full = root() + path;
    std::filesystem::create_directories(std::filesystem::path(full).parent_path());
    std::ofstream(full, std::ios::binary) << text;
  }

  void remove(const std::string& path) const { std::filesystem::remove(root() + path); }

  static std::string cpu(int number, int package, int core) {
    return "processor\t: " + std::to_string(number) +
           "\nvendor_id\t: GenuineIntel\nmodel name\t: Acme(R) Fast @ 2.50GHz\ncpu MHz\t\t: 3100.000\nphysical id\t: " +
           std::to_string(package) + "\ncore id\t\t: " + std::to_string(core) +
           "\nflags\t\t: fpu sse2 avx avx2 fma\n\n";
  }

  // The only hierarchy is version 2; this process is in `path` and sees `shown` mounted at /sys/fs/cgroup.
  void use_v2(const std::string& path, const std::string& shown = "/") const {
    put("/proc/self/cgroup", "0::" + path + "\n");
    put("/proc/self/mountinfo", "24 1 0:22 / /proc rw - proc proc rw\n31 23 0:26 " + shown +
                                    " /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
  }

  // Version 1 with a hierarchy for each controller, and an empty one of version 2 beside them.
  void use_v1(const std::string& path, const std::string& shown = "/") const {
    put("/proc/self/cgroup",
        "4:memory:" + path + "\n3:cpuset:" + path + "\n1:cpu,cpuacct:" + path + "\n1:name=systemd:/x\n0::/\n");
    std::string mounts;
    for (const std::string name : {"memory", "cpuset", "cpu,cpuacct"}) {
      mounts.append("35 31 0:32 ").append(shown).append(" /sys/fs/cgroup/").append(name);
      mounts.append(" rw,relatime shared:9 - cgroup cgroup rw,").append(name).append("\n");
    }
    put("/proc/self/mountinfo", mounts + "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace plimsoll
