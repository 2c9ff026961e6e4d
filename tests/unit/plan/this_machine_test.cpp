// What the system says of a machine, on made-up /proc and cgroup trees: the smallest limit on the way up binds.
#include "plan/devices/this_machine.h"

#include <gtest/gtest.h>

#include "plan/devices/cgroup_limits.h"
#include "tests/made_up_machine.h"

namespace plimsoll {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;
const std::string kCgroup = "/sys/fs/cgroup";

TEST(ThisMachine, ReadsProcessorAndMemory) {
  const MadeUpMachine machine;
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.cpu, "Acme(R) Fast @ 2.50GHz");
  EXPECT_EQ(facts.vendor, "intel");
  EXPECT_EQ(facts.clock->per_second, 2.5e9);
  EXPECT_TRUE(facts.has("avx2"));
  EXPECT_FALSE(facts.has("avx512f"));
  EXPECT_EQ(facts.machine_cores, Count(4));
  EXPECT_EQ(facts.machine_threads, Count(8));
  EXPECT_EQ(facts.cores(), Count(4));
  EXPECT_EQ(facts.threads(), Count(8));
  EXPECT_EQ(facts.memory(), Bytes(8 * kGiB));
  EXPECT_TRUE(facts.limits().empty());
}

TEST(ThisMachine, ClockOfTheMomentServesWhenTheNameHasNone) {
  const MadeUpMachine machine;
  machine.put("/proc/cpuinfo", "processor : 0\nmodel name : AMD Ryzen\nvendor_id : AuthenticAMD\ncpu MHz : 3400.5\n");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.vendor, "amd");
  EXPECT_EQ(facts.clock->per_second, 3400.5e6);
}

TEST(ThisMachine, AnArmProcessorHasNoNameAndNoClock) {
  const MadeUpMachine machine;
  machine.put("/proc/cpuinfo",
              "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\n"
              "processor\t: 1\nFeatures\t: fp asimd\n");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.cpu, "");
  EXPECT_EQ(facts.vendor, "arm");
  EXPECT_FALSE(facts.clock.has_value());
  EXPECT_TRUE(facts.has("asimd"));
  EXPECT_EQ(facts.machine_cores, Count(2));
}

TEST(ThisMachine, WithoutAnyFileNothingIsInvented) {
  const TemporaryFolder empty;
  const MachineFacts facts = read_this_machine(empty.path());
  EXPECT_EQ(facts.cpu, "");
  EXPECT_FALSE(facts.memory().has_value());
  EXPECT_EQ(facts.cores(), Count(1));
  EXPECT_TRUE(facts.limits().empty());
}

TEST(ThisMachine, GarbageIsNoLimit) {
  const MadeUpMachine machine;
  machine.use_v2("/app");
  machine.put(kCgroup + "/app/memory.max", "lots");
  machine.put(kCgroup + "/app/memory.high", "99999999999999999999999999");
  machine.put(kCgroup + "/app/cpu.max", "100000");
  machine.put(kCgroup + "/app/cpuset.cpus.effective", "7-3");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.memory(), Bytes(8 * kGiB));
  EXPECT_EQ(facts.threads(), Count(8));
  EXPECT_TRUE(facts.limits().empty());
}

TEST(ThisMachine, VersionTwoTakesTheSmallestLimitOnTheWayUp) {
  const MadeUpMachine machine;
  machine.use_v2("/jobs/mine/step");
  machine.put(kCgroup + "/jobs/mine/step/memory.max", "max\n");
  machine.put(kCgroup + "/jobs/mine/memory.max", "3221225472\n");
  machine.put(kCgroup + "/jobs/memory.max", "2147483648\n");
  machine.put(kCgroup + "/jobs/mine/step/cpu.max", "max 100000\n");
  machine.put(kCgroup + "/jobs/mine/cpu.max", "250000 100000\n");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.memory_limit, Bytes(2 * kGiB));
  EXPECT_EQ(facts.memory(), Bytes(2 * kGiB));
  EXPECT_EQ(facts.quota, 2.5);
  EXPECT_EQ(facts.cores(), Count(2));
  EXPECT_EQ(facts.threads(), Count(2));
  ASSERT_EQ(facts.limits().size(), 2u);
  EXPECT_EQ(facts.limits()[0],
            "the cgroup limits memory to 2.000 GiB of the machine's 8.000 GiB: planning with 2.000 GiB");
  EXPECT_EQ(facts.limits()[1], "the cgroup limits CPU time to 2.5 of 8 threads: planning with 2");
}

TEST(ThisMachine, VersionTwoWithMaxEverywhereIsFree) {
  const MadeUpMachine machine;
  machine.use_v2("/app");
  for (const char* file : {"/app/memory.max", "/app/memory.high", "/memory.max"}) machine.put(kCgroup + file, "max\n");
  machine.put(kCgroup + "/app/cpu.max", "max 100000\n");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_FALSE(facts.memory_limit.has_value());
  EXPECT_FALSE(facts.quota.has_value());
}

TEST(ThisMachine, MemoryHighIsALimitToo) {
  const MadeUpMachine machine;
  machine.use_v2("/app");
  machine.put(kCgroup + "/app/memory.max", "4294967296");
  machine.put(kCgroup + "/app/memory.high", "1073741824");
  EXPECT_EQ(read_this_machine(machine.root()).memory(), Bytes(kGiB));
}

TEST(ThisMachine, ALimitAboveTheMachineIsNone) {
  const MadeUpMachine machine;
  machine.use_v2("/app");
  machine.put(kCgroup + "/app/memory.max", "17179869184");
  machine.put(kCgroup + "/app/cpu.max", "1600000 100000");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.memory(), Bytes(8 * kGiB));
  EXPECT_TRUE(facts.limits().empty());
}

// In a container the mount shows only its own folder, and /proc/self/cgroup may still have the host's path.
TEST(ThisMachine, AContainerSeesItsOwnFolderAsTheRoot) {
  const std::pair<const char*, const char*> cases[] = {{"/docker/abc", "/docker/abc"},
                                                       {"/docker/abc/inner", "/docker/abc"},
                                                       {"/elsewhere", "/docker/abc"},
                                                       {"/", "/"},
                                                       {"/../../other", "/"}};
  for (const auto& [path, shown] : cases) {
    const MadeUpMachine machine;
    machine.use_v2(path, shown);
    machine.put(kCgroup + "/memory.max", "1073741824");
    EXPECT_EQ(read_this_machine(machine.root()).memory(), Bytes(kGiB)) << path << " below " << shown;
  }
}

TEST(ThisMachine, VersionOneTakesTheSmallestLimitOnTheWayUp) {
  const MadeUpMachine machine;
  machine.use_v1("/jobs/mine");
  machine.put(kCgroup + "/memory/jobs/mine/memory.limit_in_bytes", "9223372036854771712\n");
  machine.put(kCgroup + "/memory/jobs/memory.limit_in_bytes", "3221225472\n");
  machine.put(kCgroup + "/memory/memory.limit_in_bytes", "9223372036854771712\n");
  machine.put(kCgroup + "/cpu,cpuacct/jobs/mine/cpu.cfs_quota_us", "50000\n");
  machine.put(kCgroup + "/cpu,cpuacct/jobs/mine/cpu.cfs_period_us", "100000\n");
  machine.put(kCgroup + "/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  machine.put(kCgroup + "/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  const MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.memory(), Bytes(3 * kGiB));
  EXPECT_EQ(facts.quota, 0.5);
  EXPECT_EQ(facts.cores(), Count(1));
}

TEST(ThisMachine, VersionOneWithoutLimitsIsFree) {
  const MadeUpMachine machine;
  machine.use_v1("/");
  machine.put(kCgroup + "/memory/memory.limit_in_bytes", "9223372036854771712\n");
  machine.put(kCgroup + "/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  machine.put(kCgroup + "/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_TRUE(read_this_machine(machine.root()).limits().empty());
}

TEST(ThisMachine, VersionOneInAContainer) {
  const MadeUpMachine machine;
  machine.use_v1("/docker/abc", "/docker/abc");
  machine.put(kCgroup + "/memory/memory.limit_in_bytes", "536870912");
  EXPECT_EQ(read_this_machine(machine.root()).memory(), Bytes(kGiB / 2));
}

TEST(ThisMachine, CpusetsLeaveCoresAndTheirThreads) {
  MadeUpMachine machine;
  machine.use_v1("/jobs");
  machine.put(kCgroup + "/cpuset/jobs/cpuset.effective_cpus", "0,4\n");  // the two threads of one core
  MachineFacts facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.cores(), Count(1));
  EXPECT_EQ(facts.threads(), Count(2));
  EXPECT_EQ(facts.machine_threads, Count(8));
  ASSERT_EQ(facts.limits().size(), 1u);
  EXPECT_EQ(facts.limits()[0], "cpuset or affinity allow 2 of the machine's 8 threads: planning with 2");

  machine.use_v2("/jobs");
  machine.put(kCgroup + "/jobs/cpuset.cpus.effective", "0-2\n");
  machine.put(kCgroup + "/cpuset.cpus.effective", "0-7\n");
  facts = read_this_machine(machine.root());
  EXPECT_EQ(facts.cores(), Count(3));
  EXPECT_EQ(facts.threads(), Count(3));
}

// The list may name CPUs that are not there: a kernel built for more of them.
TEST(ThisMachine, AffinityCountsOnlyProcessorsThatAreThere) {
  const MadeUpMachine machine;
  machine.put("/proc/self/status", "Cpus_allowed_list:\t3-127\n");
  EXPECT_EQ(read_this_machine(machine.root()).threads(), Count(5));
  machine.put("/proc/self/status", "Cpus_allowed_list:\t0-1023\n");
  EXPECT_TRUE(read_this_machine(machine.root()).limits().empty());
}

TEST(CpuList, IsReadOrRefusedAsAWhole) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (CpuSet{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("5"), CpuSet{5});
  for (const char* bad : {"", "\n", "a", "1-", "-1", "3-1", "0-99999999", "1,,x", "1-2-3"})
    EXPECT_FALSE(parse_cpu_list(bad).has_value()) << bad;
}

TEST(ThisMachine, TheRealOneHasMemoryAndCores) {
  const MachineFacts facts = read_this_machine();
  ASSERT_TRUE(facts.memory().has_value());
  EXPECT_GT(*facts.memory(), Bytes(1 << 20));
  EXPECT_GE(facts.cores(), Count(1));
  EXPECT_GE(facts.machine_threads, facts.threads());
}

}  // namespace
}  // namespace plimsoll
