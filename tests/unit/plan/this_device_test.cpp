// The device "this": the kept probe when it is of this machine, else what the system says, with notes.
#include "plan/devices/this_device.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "plan/devices/all_devices.h"
#include "plan/devices/write_device.h"
#include "tests/made_up_machine.h"

namespace plimsoll {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

// Sets a variable of the environment for one test; nullptr takes it away.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    had_ = std::getenv(name) != nullptr;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

// A probe of the made-up machine.
Device some_probe(const MadeUpMachine& machine) {
  Device device = describe_this_machine(read_this_machine(machine.root()));
  device.sources.push_back({std::string(kProbeSource), "measured", "2026-01-02"});
  set_figure(device, {"peak.f32", 123.5, "GFLOP/s", "probe", {}, {}});
  set_figure(device, {"memory_bandwidth", 20.25, "GB/s", "probe", {}, {}});
  set_figure(device, {"decode_rate", 800, "images/s", "probe", {}, {}});
  return device;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ThisDevice, WithoutAProbeIsWhatTheSystemSays) {
  const MadeUpMachine machine;
  const auto here = load_this_device(machine.root() + "/none.json", machine.root());
  ASSERT_TRUE(here.ok()) << here.error().line();
  EXPECT_FALSE(here->probed);
  EXPECT_EQ(here->device.name, "this");
  EXPECT_EQ(here->device.kind, DeviceKind::cpu);
  EXPECT_EQ(here->device.memory, Bytes(8 * kGiB));
  EXPECT_EQ(here->device.peak.at(DType::f32).per_second, 4 * 32 * 2.5e9);
  EXPECT_EQ(here->device.peak.at(DType::f64).per_second, 4 * 16 * 2.5e9);
  EXPECT_TRUE(here->device.memory_bandwidth.has_value());
  ASSERT_EQ(here->notes.size(), 1u);
  EXPECT_NE(here->notes[0].find("'plimsoll probe' measures it"), std::string::npos);
  EXPECT_EQ(here->device.note, here->notes[0]);
}

TEST(ThisDevice, WidthFollowsTheInstructionSets) {
  const std::pair<const char*, int> cases[] = {{"avx2 fma avx512f", 64}, {"avx", 16}, {"sse2", 8}, {"asimd", 16}};
  for (const auto& [flags, width] : cases) {
    const MadeUpMachine machine;
    machine.put("/proc/cpuinfo", std::string("processor : 0\nmodel name : X @ 2.00GHz\nflags : ") + flags + "\n");
    const auto here = load_this_device("", machine.root());
    ASSERT_TRUE(here.ok());
    EXPECT_EQ(here->device.f32_per_cycle, width) << flags;
  }
}

TEST(ThisDevice, UsesTheKeptProbeOfThisMachine) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(some_probe(machine)));
  const auto here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok()) << here.error().line();
  EXPECT_TRUE(here->probed);
  EXPECT_EQ(here->device.peak.at(DType::f32).per_second, 123.5e9);
  EXPECT_EQ(here->device.memory_bandwidth->per_second, 20.25e9);
  EXPECT_EQ(here->device.decode_rate->per_second, 800);
  EXPECT_EQ(here->device.figure("peak.f32")->date, "2026-01-02");
  EXPECT_TRUE(here->notes.empty());
}

TEST(ThisDevice, WhatTheProbeFoundDoubtfulIsSaidAgain) {
  const MadeUpMachine machine;
  Device probe = some_probe(machine);
  probe.note = "the machine was busy";
  machine.put("/this.json", write_device(probe));
  const auto here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok());
  EXPECT_EQ(here->notes, std::vector<std::string>{"the machine was busy"});
}

TEST(ThisDevice, MemoryIsReadAnewAndTheCgroupsLimitIsSaid) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(some_probe(machine)));
  machine.use_v2("/app");
  machine.put("/sys/fs/cgroup/app/memory.max", "1073741824");
  const auto here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok());
  EXPECT_TRUE(here->probed);
  EXPECT_EQ(here->device.memory, Bytes(kGiB));
  EXPECT_EQ(here->device.figure("memory")->value, double(kGiB));
  ASSERT_EQ(here->notes.size(), 1u);
  EXPECT_NE(here->notes[0].find("the cgroup limits memory to 1.000 GiB"), std::string::npos) << here->notes[0];
  EXPECT_EQ(here->device.note, here->notes[0]);
}

TEST(ThisDevice, AWorkerOnSomeOfTheCoresHasTheProbeOfAll) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(some_probe(machine)));
  const std::string path = machine.root() + "/this.json";
  EXPECT_TRUE(probe_of_this_machine(path, machine.root()).has_value());
  machine.put("/proc/self/status", "Cpus_allowed_list:\t0\n");
  const auto probe = probe_of_this_machine(path, machine.root());
  ASSERT_TRUE(probe.has_value());
  EXPECT_EQ(probe->cores, Count(4)) << "a step on one thread is timed as a share of these";

  Device smaller = some_probe(machine);
  smaller.cores = Count(1);
  set_figure(smaller, {"cores", 1, "count", "derived: limits", {}, {}});
  machine.put("/this.json", write_device(smaller));
  machine.put("/proc/self/status", "Cpus_allowed_list:\t0-7\n");
  EXPECT_FALSE(probe_of_this_machine(path, machine.root()).has_value()) << "measured on fewer cores than are here";
  EXPECT_FALSE(probe_of_this_machine(machine.root() + "/none.json", machine.root()).has_value());
}

TEST(ThisDevice, AProbeOfAnotherMachineIsNotUsed) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(some_probe(machine)));
  machine.put("/proc/self/status", "Cpus_allowed_list:\t0\n");
  auto here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok());
  EXPECT_FALSE(here->probed);
  EXPECT_NE(here->device.note.find("the kept probe is of 4 cores with 8 threads, here are 1 with 1"), std::string::npos)
      << here->device.note;

  machine.put("/proc/cpuinfo", "processor : 0\nmodel name : Other\n");
  here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok());
  EXPECT_FALSE(here->probed);
  EXPECT_NE(here->device.note.find("the kept probe is of 'Acme(R) Fast @ 2.50GHz', this is 'Other'"), std::string::npos)
      << here->device.note;
}

TEST(ThisDevice, ADamagedProbeIsOneLineWithTheWayOut) {
  const MadeUpMachine machine;
  const std::string good = write_device(some_probe(machine)), path = machine.root() + "/this.json";
  const std::string bad[] = {
      "",
      "[]",
      good.substr(0, good.size() / 2),
      replaced(good, "\"name\": \"this\"", "\"name\": \"that\""),
      replaced(good, "\"kind\": \"cpu\"", "\"kind\": \"gpu\""),
      replaced(good, "\"cores\"", "\"units\""),
      replaced(good, "\"threads\"", "\"units\""),
      replaced(good, "123.5", "-1"),
      replaced(good, "\"source\": \"probe\"", "\"source\": \"derived: guess\""),
      replaced(good, "\"decode_rate\"", "\"decode_rat\""),
  };
  for (const auto& text : bad) {
    machine.put("/this.json", text);
    const auto here = load_this_device(path, machine.root());
    ASSERT_FALSE(here.ok()) << text;
    const std::string line = here.error().line();
    EXPECT_EQ(here.error().kind, ErrorKind::user);
    EXPECT_NE(line.find("this.json"), std::string::npos) << line;
    EXPECT_NE(line.find("run 'plimsoll probe' again"), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  machine.put("/this.json", good);
  EXPECT_TRUE(load_this_device(path, machine.root()).ok());
}

TEST(ThisDevice, WithoutAnyMemoryIsTheEnvironmentsFault) {
  const MadeUpMachine machine;
  machine.remove("/proc/meminfo");
  const auto here = load_this_device("", machine.root());
  ASSERT_FALSE(here.ok());
  EXPECT_EQ(here.error().kind, ErrorKind::environment);
}

TEST(ThisDevice, IsLoadedByItsName) {
  const Variable probe("PLIMSOLL_PROBE", "/nowhere/this.json");
  const auto device = load_device("this");
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->name, "this");
  EXPECT_EQ(device->memory, read_this_machine().memory());
}

TEST(ProbePath, FollowsTheEnvironment) {
  const Variable home("HOME", "/h"), cache("XDG_CACHE_HOME", "/c"), probe("PLIMSOLL_PROBE", "/p.json");
  EXPECT_EQ(probe_path(), "/p.json");
  const Variable no_probe("PLIMSOLL_PROBE", nullptr);
  EXPECT_EQ(probe_path(), "/c/plimsoll/this.json");
  const Variable relative("XDG_CACHE_HOME", "c");
  EXPECT_EQ(probe_path(), "/h/.cache/plimsoll/this.json");
  const Variable no_home("HOME", nullptr);
  EXPECT_EQ(probe_path(), "");
}

}  // namespace
}  // namespace plimsoll
