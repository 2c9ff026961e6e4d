// Transfers, and which stage of a step binds.
#include "plan/time/pipeline_time.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"
#include "plan/time/transfer.h"

namespace plimsoll {
namespace {

constexpr Bytes kGigabyte(1'000'000'000);

TEST(Transfer, PinnedIsFasterThanPageableAndSlowerThanTheLink) {
  for (const auto* name : {"nvidia-t4", "nvidia-mx150", "nvidia-h100-80gb"}) {
    SCOPED_TRACE(name);
    const Device device = *find_device(name);
    const Transfer pinned = transfer(device, kGigabyte, HostMemory::pinned);
    const Transfer pageable = transfer(device, kGigabyte, HostMemory::pageable);
    EXPECT_LT(pageable.rate, pinned.rate);
    EXPECT_LT(pinned.rate, *device.host_link);
    EXPECT_GT(pageable.time, pinned.time);
    EXPECT_GT(pinned.time.value, 1e9 / device.host_link->per_second);
  }
}

TEST(Transfer, MeasuredRatesOfPcie3) {  // 16 lanes: about 12.3 GB/s pinned; 5 to 6 GB/s pageable
  const Device t4 = *find_device("nvidia-t4");
  EXPECT_NEAR(transfer(t4, kGigabyte, HostMemory::pinned).rate.per_second, 12.3e9, 0.5e9);
  EXPECT_NEAR(transfer(t4, kGigabyte, HostMemory::pageable).rate.per_second, 5.5e9, 0.5e9);
}

TEST(Transfer, ACpuAndASharedMemoryMoveNothing) {
  for (const auto* name : {"intel-i5-8250u", "apple-m1-gpu"}) {
    SCOPED_TRACE(name);
    const Device device = *find_device(name);
    EXPECT_FALSE(has_memory_of_its_own(device));
    EXPECT_EQ(transfer(device, kGigabyte, HostMemory::pinned).time.value, 0);
  }
  EXPECT_EQ(transfer(*find_device("nvidia-t4"), Bytes(0), HostMemory::pinned).time.value, 0);
}

StageTimes stages(double disk, double decode, double transfer, double compute) {
  StageTimes times;
  times.disk = {disk};
  times.decode = {decode};
  times.transfer = {transfer};
  times.compute = {compute};
  return times;
}

TEST(Pace, TheSlowestStageSetsItWhenTheyOverlapAndTheyAddUpWhenNot) {
  const StageTimes times = stages(1, 4, 2, 3);
  EXPECT_EQ(pace(times, true).step.value, 4);
  EXPECT_EQ(pace(times, false).step.value, 10);
  EXPECT_EQ(pace(times, true).bound_by, BoundBy::decode);
  EXPECT_EQ(pace(times, false).bound_by, BoundBy::decode);
  EXPECT_DOUBLE_EQ(pace(times, true).busy, 0.75);
  EXPECT_EQ(pace(stages(5, 4, 2, 3), true).bound_by, BoundBy::disk);
  EXPECT_EQ(pace(stages(1, 4, 6, 3), true).bound_by, BoundBy::transfer);
  EXPECT_EQ(pace(stages(3, 3, 3, 3), true).bound_by, BoundBy::arithmetic);
}

TEST(Pace, ComputeSaysWhatMostOfItIs) {
  StageTimes times = stages(0, 0, 0, 1);
  for (const auto bound : {BoundBy::arithmetic, BoundBy::bandwidth, BoundBy::launch}) {
    times.compute_bound = bound;
    EXPECT_EQ(pace(times, true).bound_by, bound);
    EXPECT_FALSE(is_loader(bound));
  }
  EXPECT_EQ(name_of(BoundBy::arithmetic), "compute-arithmetic");
}

TEST(Pace, OnACpuDecodingTakesCoresFromComputing) {
  LoadingSetup setup;
  setup.disk = *find_disk("nvme");
  setup.decode_per_core = SamplesPerSecond{10};
  setup.host_cores = 4;
  setup.loaders = 4;
  StageTimes times = loading_times(setup, *loading_rate(setup), 80, true);
  times.compute = {3};
  EXPECT_DOUBLE_EQ(times.decode.value, 2);
  EXPECT_DOUBLE_EQ(pace(times, true).step.value, 5);
  EXPECT_EQ(pace(times, true).bound_by, BoundBy::arithmetic);
  times.compute = {1};
  EXPECT_DOUBLE_EQ(pace(times, true).step.value, 3);
  EXPECT_EQ(pace(times, true).bound_by, BoundBy::decode);
  EXPECT_DOUBLE_EQ(pace(times, false).step.value, 3);
}

TEST(Pace, NoStageTakesNoTime) {
  EXPECT_EQ(pace({}, true).step.value, 0);
  EXPECT_EQ(pace({}, true).busy, 1);
}

TEST(Pace, TheSentenceNamesTheStageAndWhatWouldFeedTheDevice) {
  LoadingSetup setup;
  setup.disk = *find_disk("sata");
  setup.sample = Bytes(110'000);
  setup.decode_per_core = SamplesPerSecond{27};
  setup.host_cores = setup.loaders = 2;
  StageTimes times = loading_times(setup, *loading_rate(setup), 54, false);
  times.compute = {0.25};
  const std::string decoding = pace_sentence(times, pace(times, true), setup, 54);
  EXPECT_EQ(decoding,
            "Loader-bound: decoding 54 samples takes 1 s, computing them 250 ms; the device waits 75 % of the time. "
            "8 cores of this kind, with a loader each, would keep the device busy; the host has 2.");
  times = stages(0, 0, 2, 1);
  EXPECT_NE(pace_sentence(times, pace(times, true), setup, 1).find("Transfer-bound: moving 1 sample"),
            std::string::npos);
  times = stages(2, 0, 0, 1);
  EXPECT_NE(pace_sentence(times, pace(times, true), setup, 100).find("A disk of 11.00 MB/s would keep"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
