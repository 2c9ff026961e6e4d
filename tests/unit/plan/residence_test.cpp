// What is where, what each move costs, and what happens past the line.
#include "plan/verdict/residence.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/past_line.h"

namespace plimsoll {
namespace {

constexpr Bytes mb(int64_t megabytes) { return Bytes(megabytes * 1'000'000); }

ResidenceSetup training_on(const std::string& device) {
  ResidenceSetup setup;
  setup.bytes = {.parameters = mb(100),
                 .gradients = mb(100),
                 .optimizer = mb(200),
                 .activations = mb(3000),
                 .activation_gradients = mb(500),
                 .input = mb(60),
                 .files = mb(11),
                 .results = Bytes(4)};
  setup.device = *find_device(device);
  setup.disk = *find_disk("sata");
  setup.batch = 100;
  setup.steps_per_epoch = 50;
  return setup;
}

const Resident& resident(const Residence& residence, const std::string& what) {
  for (const auto& row : residence.residents)
    if (row.what == what) return row;
  ADD_FAILURE() << what;
  return residence.residents.front();
}

const Move* move(const Residence& residence, const std::string& what, Place from, Place to) {
  for (const auto& row : residence.moves)
    if (row.what == what && row.from == from && row.to == to) return &row;
  return nullptr;
}

TEST(Residence, OnAGpuModelAndBatchPassThroughRamAndTheRestLivesOnTheDevice) {
  const Residence where = *residence(training_on("nvidia-t4"));
  for (const auto* what : {"gradients", "optimizer state", "activations", "activation gradients"}) {
    SCOPED_TRACE(what);
    const Resident& row = resident(where, what);
    EXPECT_TRUE(row.device && !row.ram && !row.disk && !row.cache);
  }
  const Resident& parameters = resident(where, "parameters");
  EXPECT_TRUE(parameters.disk && parameters.ram && parameters.device);
  const Resident& batch = resident(where, "decoded batch");
  EXPECT_TRUE(!batch.disk && batch.ram && batch.device);
  EXPECT_EQ(where.device, mb(100 + 100 + 200 + 60 + 3000 + 500));
  EXPECT_EQ(where.ram, mb(100 + 11 + 60));
  EXPECT_EQ(where.disk, mb(100 + 11));
  EXPECT_NE(where.remarks[0].find("activations and gradients (3.353 GiB) live on the device only"), std::string::npos);
}

TEST(Residence, MovesCostBytesOverTheRateOnceOrEveryStep) {
  const ResidenceSetup setup = training_on("nvidia-t4");
  const Residence where = *residence(setup);
  const Move* load = move(where, "parameters", Place::disk, Place::ram);
  ASSERT_TRUE(load);
  EXPECT_FALSE(load->every_step);
  EXPECT_FALSE(load->per_epoch);
  EXPECT_DOUBLE_EQ(load->time->value, 100e6 / 550e6);
  const Move* read = move(where, "sample files", Place::disk, Place::ram);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->every_step);
  EXPECT_DOUBLE_EQ(read->time->value, 11e6 / 550e6);
  EXPECT_DOUBLE_EQ(read->per_epoch->value, 50 * read->time->value);
  const Move* batch = move(where, "decoded batch", Place::ram, Place::device);
  ASSERT_TRUE(batch);
  EXPECT_EQ(*batch->time, transfer(setup.device, mb(60), HostMemory::pageable).time);
  EXPECT_EQ(batch->over, "PCIe 3.0 x16 by DMA, pageable");
  EXPECT_TRUE(move(where, "results", Place::device, Place::ram));
  EXPECT_FALSE(move(where, "activations and their gradients", Place::ram, Place::cache));
}

TEST(Residence, OnACpuRamIsTheDeviceAndTheLastCacheIsNearest) {
  const Residence where = *residence(training_on("intel-i5-8250u"));
  EXPECT_EQ(where.device, Bytes(0));
  EXPECT_EQ(where.ram, mb(100 + 100 + 200 + 11 + 60 + 3000 + 500));
  ASSERT_TRUE(where.cache);
  EXPECT_EQ(where.cache->value(), 6 << 20);
  EXPECT_EQ(resident(where, "activations").cache, where.cache);
  for (const auto& row : where.moves) EXPECT_TRUE(row.from != Place::device && row.to != Place::device);
  const Move* activations = move(where, "activations and their gradients", Place::ram, Place::cache);
  ASSERT_TRUE(activations);
  EXPECT_TRUE(activations->every_step);
  EXPECT_DOUBLE_EQ(activations->time->value, 3500e6 / 37.5e9);
}

TEST(Residence, WhatFitsInTheCacheStaysThere) {
  ResidenceSetup setup = training_on("intel-i5-8250u");
  setup.bytes = {};
  setup.bytes.parameters = setup.bytes.activations = Bytes(100'000);
  const Residence where = *residence(setup);
  EXPECT_FALSE(move(where, "model", Place::ram, Place::cache)->every_step);
  EXPECT_NE(where.remarks[1].find("All of it fits in the last level of cache"), std::string::npos);
}

TEST(Residence, TheHostsCachesAreShownWhenItIsKnown) {
  ResidenceSetup setup = training_on("nvidia-t4");
  EXPECT_FALSE(residence(setup)->cache);
  EXPECT_FALSE(move(*residence(setup), "sample files, to be decoded", Place::ram, Place::cache)->time);
  setup.host = *find_device("intel-xeon-platinum-8259cl");
  EXPECT_EQ(residence(setup)->cache, setup.host->l3_cache);
  EXPECT_TRUE(move(*residence(setup), "sample files, to be decoded", Place::ram, Place::cache)->time);
}

TEST(Residence, SharedMemoryIsSaidAloud) {
  const Residence where = *residence(training_on("apple-m1-gpu"));
  EXPECT_EQ(where.device, Bytes(0));
  EXPECT_NE(where.remarks[0].find("shared with the CPU"), std::string::npos);
}

TEST(Residence, AHardDiskReachesForEachFile) {
  ResidenceSetup setup = training_on("nvidia-t4");
  setup.disk = *find_disk("hdd");
  const Residence where = *residence(setup);
  EXPECT_NEAR(move(where, "sample files", Place::disk, Place::ram)->time->value, 100 * 12e-3 + 11e6 / 150e6, 1e-9);
}

TEST(Residence, BadValuesAreTheUsersMistake) {
  ResidenceSetup negative = training_on("nvidia-t4"), steps = negative, batch = negative, disk = negative,
                 huge = negative;
  negative.bytes.input = Bytes(-1);
  huge.bytes.activations = Bytes(Bytes::kOverflow);
  steps.steps_per_epoch = 0;
  batch.batch = -1;
  disk.disk.drive = {0};
  for (const auto& setup : {negative, steps, batch, disk, huge}) {
    const auto where = residence(setup);
    ASSERT_FALSE(where.ok());
    EXPECT_EQ(where.error().kind, ErrorKind::user);
  }
}

TEST(LoadLine, SmallestMemoryCarriesExactlyWhatIsNeeded) {
  for (const double line : {0.8, 0.9, 1.0, 0.333, 1e-6})
    for (const int64_t needed : {1ll, 700'000'000ll, 6'100'000'001ll, 1'234'567'890'123ll}) {
      const Bytes memory = smallest_memory(Bytes(needed), line);
      EXPECT_GE(bytes_under_line(memory, line).value(), needed) << line;
      EXPECT_LT(double(memory.value()) * line, double(needed) + 1.5) << line;
    }
  EXPECT_EQ(bytes_under_line(mb(8000), 0.8), mb(6400));
  EXPECT_TRUE(smallest_memory(Bytes(9'000'000'000'000'000'000), 1e-3).overflowed());
}

TEST(PastLine, AGpuRunsOutOfMemory) {
  const PastLine past = past_line(mb(2500), mb(2000), 0.8, DeviceKind::gpu, *find_disk("sata"));
  EXPECT_EQ(past.over_line, mb(900));
  EXPECT_EQ(past.over_memory, mb(500));
  EXPECT_EQ(past.paged_per_step, Bytes(0));
  EXPECT_EQ(past.sentence, "Out of memory: 476.8 MiB do not fit in the memory, and the step stops with an error.");
}

TEST(PastLine, ACpuPagesOutAndBackAtTheDisksRate) {
  const PastLine past = past_line(mb(2550), mb(2000), 0.8, DeviceKind::cpu, *find_disk("sata"));
  EXPECT_EQ(past.paged_per_step, mb(1100));
  EXPECT_DOUBLE_EQ(past.paging_per_step.value, 2);
  EXPECT_EQ(past.sentence,
            "It pages: 524.5 MiB do not fit in the memory, so at least 524.5 MiB go to the disk and come back in each "
            "step, 2 s at 550.0 MB/s (SATA 3 SSD).");
}

TEST(PastLine, BetweenLineAndMemory) {
  for (const auto kind : {DeviceKind::cpu, DeviceKind::gpu}) {
    const PastLine past = past_line(mb(1700), mb(2000), 0.8, kind, *find_disk("sata"));
    EXPECT_EQ(past.over_line, mb(100));
    EXPECT_EQ(past.paging_per_step.value, 0);
    EXPECT_NE(past.sentence.find("95.37 MiB past the line but still inside the memory: 286.1 MiB are left"),
              std::string::npos);
  }
  EXPECT_EQ(past_line(mb(1600), mb(2000), 0.8, DeviceKind::cpu, *find_disk("sata")).sentence, "");
}

TEST(PastLine, AMemoryWithoutADeviceTellsBoth) {
  const std::string sentence = past_line(mb(3000), mb(2000), 0.8, std::nullopt, *find_disk("nvme")).sentence;
  EXPECT_NE(sentence.find("a GPU stops, out of memory; a CPU pages: at least 953.7 MiB"), std::string::npos)
      << sentence;
}

}  // namespace
}  // namespace plimsoll
