// Loading samples: what bounds the rate, how many workers are of use, and what is said about it.
#include "plan/time/loading_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

LoadingSetup setup(const std::string& disk, int64_t sample, double decode, int64_t cores, int64_t loaders) {
  LoadingSetup setup;
  setup.disk = *find_disk(disk);
  setup.sample = Bytes(sample);
  if (decode > 0) setup.decode_per_core = SamplesPerSecond{decode};
  setup.host_cores = cores;
  setup.loaders = loaders;
  return setup;
}

bool says(const LoadingSetup& setup, const std::string& words) {
  return loading_sentence(setup, *loading_rate(setup)).find(words) != std::string::npos;
}

TEST(Disk, EveryOneHasARateBelowItsControllerAndASource) {
  EXPECT_GE(all_disks().size(), 5u);
  for (const auto& disk : all_disks()) {
    SCOPED_TRACE(disk.name);
    EXPECT_GT(disk.drive.per_second, 1e7);
    EXPECT_FALSE(disk.title.empty() || disk.source.empty());
    EXPECT_EQ(disk.rate(), disk.drive);
    EXPECT_EQ(find_disk(disk.name)->title, disk.title);
  }
  EXPECT_EQ(find_disk("sata")->rate().per_second, 550e6);
  EXPECT_EQ(find_disk("nvme")->rate().per_second, 3.5e9);
  EXPECT_FALSE(find_disk("floppy").ok());
}

TEST(Disk, TheControllerCapsDrivesSideBySide) {
  Disk disk = *find_disk("sata");
  disk.drives = 4;
  EXPECT_EQ(disk.rate().per_second, 600e6);
  disk.controller.reset();
  EXPECT_EQ(disk.rate().per_second, 2200e6);
}

TEST(Loader, CoresBound) {
  const auto two = setup("sata", 110'000, 27, 2, 2), eight = setup("sata", 110'000, 27, 2, 8);
  const auto rate = *loading_rate(two);
  EXPECT_DOUBLE_EQ(rate.all->per_second, 54);
  EXPECT_EQ(rate.bound, LoadingBound::cores);
  EXPECT_EQ(rate.useful_loaders, 2);
  EXPECT_TRUE(says(two, "More loaders add nothing: every core has one."));
  EXPECT_EQ(loading_rate(eight)->all, rate.all);
  EXPECT_TRUE(says(eight, "8 loaders on 2 host cores decode 54 samples/s. 2 loaders would do as well"));
  EXPECT_TRUE(says(eight, "add nothing"));
}

TEST(Loader, DriveBound) {
  // 550 MB/s of 1 MB samples are 550 a second: six workers of 100 a second are enough.
  const auto many = setup("sata", 1'000'000, 100, 16, 12);
  const auto rate = *loading_rate(many);
  EXPECT_DOUBLE_EQ(rate.all->per_second, 550);
  EXPECT_EQ(rate.bound, LoadingBound::drives);
  EXPECT_EQ(rate.useful_loaders, 6);
  EXPECT_TRUE(says(many, "The SATA 3 SSD gives 550 samples/s: 1 MB each at 550.0 MB/s. 6 loaders would do as well"));
  EXPECT_EQ(loading_rate(setup("sata", 1'000'000, 100, 16, 6))->all, rate.all);
  EXPECT_LT(*loading_rate(setup("sata", 1'000'000, 100, 16, 5))->all, *rate.all);
}

TEST(Loader, ControllerBound) {
  auto four = setup("sata", 1'000'000, 100, 32, 16);
  four.disk.drives = 4;
  four.disk.controller = BytesPerSecond{1e9};
  const auto rate = *loading_rate(four);
  EXPECT_EQ(rate.bound, LoadingBound::controller);
  EXPECT_DOUBLE_EQ(rate.all->per_second, 1000);
  EXPECT_EQ(rate.useful_loaders, 10);
  EXPECT_TRUE(
      says(four, "The controller passes 1,000 samples/s: 1 MB each at 1.000 GB/s. 10 loaders would do as well"));
}

TEST(Loader, TooFewLoaders) {
  const auto one = setup("nvme", 100'000, 50, 4, 1);
  const auto rate = *loading_rate(one);
  EXPECT_EQ(rate.bound, LoadingBound::loaders);
  EXPECT_EQ(rate.useful_loaders, 4);
  EXPECT_TRUE(says(one, "1 loader on 4 host cores decodes 50 samples/s. 4 loaders would load 200 samples/s"));
}

TEST(Loader, WithoutWorkersTheTrainingProcessLoadsByItself) {
  const auto none = setup("nvme", 100'000, 50, 4, 0);
  const auto rate = *loading_rate(none);
  EXPECT_FALSE(rate.overlaps);
  EXPECT_DOUBLE_EQ(rate.all->per_second, 50);
  EXPECT_TRUE(says(none, "by itself"));
}

TEST(Loader, ReachingAFileBoundsAHardDisk) {
  const auto rate = *loading_rate(setup("hdd", 110'000, 100, 4, 4));
  EXPECT_EQ(rate.bound, LoadingBound::drives);
  EXPECT_NEAR(rate.all->per_second, 1 / (12e-3 + 110e3 / 150e6), 1e-9);
  EXPECT_TRUE(says(setup("hdd", 110'000, 100, 4, 4), "after 12 ms to reach a file"));
}

TEST(Loader, NothingToLoadBoundsNothing) {
  const auto free = setup("sata", 0, 0, 4, 4);
  const auto rate = *loading_rate(free);
  EXPECT_FALSE(rate.all.has_value());
  EXPECT_EQ(rate.bound, LoadingBound::nothing);
  EXPECT_TRUE(says(free, "in memory already"));
}

TEST(Loader, BadValuesAreTheUsersMistake) {
  const auto refused = [](LoadingSetup bad, const std::string& words) {
    const auto rate = loading_rate(bad);
    return !rate.ok() && rate.error().kind == ErrorKind::user && rate.error().what.find(words) != std::string::npos;
  };
  EXPECT_TRUE(refused(setup("sata", -1, 27, 2, 2), "a sample has -1 bytes"));
  EXPECT_TRUE(refused(setup("sata", 1, 27, 0, 2), "the host has 0 cores"));
  EXPECT_TRUE(refused(setup("sata", 1, 27, -1, 2), "the host has -1 cores"));
  EXPECT_TRUE(refused(setup("sata", 1, 27, 2, -1), "there are -1 loaders"));
  EXPECT_TRUE(refused(setup("sata", 1, 27, 2, 1'000'000'000'000'000'000), "expected 0 to 1,000,000"));
  EXPECT_TRUE(refused(setup("sata", 1, HUGE_VAL, 2, 2), "a core decodes inf"));
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    auto decode = setup("sata", 1, 27, 2, 2), drive = decode, controller = decode;
    decode.decode_per_core = SamplesPerSecond{bad};
    drive.disk.drive = {bad};
    controller.disk.controller = BytesPerSecond{bad};
    EXPECT_TRUE(refused(decode, "a core decodes")) << bad;
    EXPECT_TRUE(refused(drive, "the disk reads")) << bad;
    EXPECT_TRUE(refused(controller, "the controller passes")) << bad;
  }
}

}  // namespace
}  // namespace plimsoll
