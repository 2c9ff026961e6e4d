// All-reduce against results by hand, and what must hold whatever the figures are.
#include "plan/time/all_reduce_time.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Link made_up_link(double rate, double latency) { return link_of_rate("made up", {rate}, {latency}); }

Wiring flat(const Link& link) { return {1, link, link}; }

// 100 MB on 4 workers: each passes on 2 · 3/4 · 100 MB = 150 MB, in 6 rounds.
TEST(RingAllReduce, ByHand) {
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(100'000'000), 4, made_up_link(1.25e9, 0)).value, 0.12);
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(100'000'000), 4, made_up_link(1.25e9, 1e-3)).value, 0.126);
  const Link ethernet = *find_link("10gbe");
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(100'000'000), 4, ethernet).value, 6 * 30e-6 + 150e6 / (1.25e9 * 0.94));
}

// 8 workers are 3 levels. A chunk of 256 KiB goes up and down them, the rest follows at 0.9 of the rate, twice.
TEST(TreeAllReduce, ByHand) {
  const double chunk = 262144, rest = 1e6 - chunk;
  EXPECT_DOUBLE_EQ(tree_all_reduce(Bytes(1'000'000), 8, made_up_link(1e9, 1e-5)).value,
                   6 * (1e-5 + chunk / 1e9) + 2 * rest / 0.9e9);
  EXPECT_DOUBLE_EQ(tree_all_reduce(Bytes(1000), 9, made_up_link(1e9, 1e-5)).value, 8 * (1e-5 + 1e-6));
}

TEST(AllReduce, NothingForOneWorkerOrNoBytes) {
  const Wiring wiring = flat(made_up_link(1e9, 1e-5));
  EXPECT_EQ(all_reduce(Bytes(1000), 1, wiring).time.value, 0);
  EXPECT_EQ(all_reduce(Bytes(0), 8, wiring).time.value, 0);
  EXPECT_EQ(all_reduce(Bytes(0), 8, wiring).way, AllReduceWay::none);
}

TEST(AllReduce, RingsForManyBytesAndTreesForManyWorkers) {
  const Wiring wiring = flat(made_up_link(1e9, 1e-5));
  EXPECT_EQ(all_reduce(Bytes(100'000'000), 4, wiring).way, AllReduceWay::ring);
  EXPECT_EQ(all_reduce(Bytes(100'000), 1024, wiring).way, AllReduceWay::tree);
  for (const int64_t workers : {2, 5, 64, 4096})
    for (const int64_t bytes : {1000, 1'000'000, 1'000'000'000}) {
      const double time = all_reduce(Bytes(bytes), workers, wiring).time.value;
      EXPECT_LE(time, ring_all_reduce(Bytes(bytes), workers, wiring.between).value);
      EXPECT_LE(time, tree_all_reduce(Bytes(bytes), workers, wiring.between).value);
    }
}

// 2 nodes of 4: a ring inside, 2 · 3/4 · 1 GB / 100 GB/s = 15 ms; then 2 · 1/2 · 1 GB / 10 GB/s = 100 ms between.
TEST(AllReduce, ByLevels) {
  const Wiring wiring{4, made_up_link(100e9, 0), made_up_link(10e9, 0)};
  const AllReduce sum = all_reduce(Bytes(1'000'000'000), 8, wiring);
  EXPECT_EQ(sum.way, AllReduceWay::levels);
  EXPECT_DOUBLE_EQ(sum.time.value, 0.115);
  // One ring through all would have taken 2 · 7/8 · 1 GB / 10 GB/s = 175 ms.
  EXPECT_LT(sum.time.value, 0.175);
}

TEST(AllReduce, WithinOneNodeOnlyItsLinkCounts) {
  const Wiring slow{8, made_up_link(100e9, 1e-6), made_up_link(1e6, 1)};
  const Wiring fast{8, made_up_link(100e9, 1e-6), made_up_link(1e12, 0)};
  EXPECT_EQ(all_reduce(Bytes(1'000'000), 8, slow).time.value, all_reduce(Bytes(1'000'000), 8, fast).time.value);
  EXPECT_GT(all_reduce(Bytes(1'000'000), 9, slow).time.value, all_reduce(Bytes(1'000'000), 9, fast).time.value);
}

TEST(AllReduce, MoreBandwidthIsNeverSlowerAndMoreBytesNeverFaster) {
  for (const int64_t workers : {2, 3, 8, 9, 100, 4096})
    for (const int64_t bytes : {100, 262'144, 50'000'000}) {
      double before = 1e300;
      for (double rate = 1e8; rate <= 1e12; rate *= 3) {
        const Wiring wiring{8, made_up_link(10 * rate, 1e-6), made_up_link(rate, 2e-5)};
        const double time = all_reduce(Bytes(bytes), workers, wiring).time.value;
        EXPECT_LE(time, before) << workers << " " << bytes << " " << rate;
        EXPECT_LE(time, all_reduce(Bytes(2 * bytes), workers, wiring).time.value);
        before = time;
      }
    }
}

TEST(Links, EachHasFiguresAndASource) {
  for (const auto& link : all_links()) {
    EXPECT_EQ(find_link(link.name)->rate, link.rate);
    EXPECT_GT(link.rate.per_second, 1e8) << link.name;
    EXPECT_GT(link.latency.value, 0) << link.name;
    EXPECT_GT(link.share, 0.5) << link.name;
    EXPECT_LE(link.share, 1) << link.name;
    EXPECT_GT(link.source.size(), 10u) << link.name;
  }
  EXPECT_NE(find_link("10gb").error().line().find("did you mean '10gbe'"), std::string::npos);
}

TEST(Links, OfDevices) {
  Device card;
  card.kind = DeviceKind::gpu;
  EXPECT_FALSE(link_inside(card));
  card.host_link = BytesPerSecond{10e9};
  EXPECT_EQ(link_inside(card)->rate.per_second, 10e9);
  card.device_link = BytesPerSecond{100e9};
  EXPECT_EQ(link_inside(card)->rate.per_second, 100e9);
  EXPECT_FALSE(link_between(card));
  card.network = BytesPerSecond{1e9};
  EXPECT_EQ(link_between(card)->rate.per_second, 1e9);
}

}  // namespace
}  // namespace plimsoll
