// A probe as it is kept: written as a device file and read again.
#include <gtest/gtest.h>

#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/measure/probe.h"
#include "tests/made_up_machine.h"

namespace plimsoll {
namespace {

Probe some_probe(const MadeUpMachine& machine) {
  Probe probe;
  probe.date = "2026-03-04";
  probe.machine = read_this_machine(machine.root());
  probe.caches = {Count(4), Bytes(48 << 10), Bytes(1280 << 10), Bytes(int64_t{48} << 20)};
  probe.team = 4;
  probe.fresh_memory = {2.5e9};
  probe.peaks = {{DType::f32, "avx2", {50.12345e9}, {190e9}}, {DType::i8, "avx_vnni", {200e9}, {800e9}}};
  probe.levels = {{"L1", Bytes(1), Bytes(1), {{300e9}, {200e9}}, {{1200e9}, {800e9}}},
                  {"RAM", Bytes(1), Bytes(1), {{10e9}, {11e9}}, {{30e9}, {28e9}}}};
  probe.disk = {BytesPerSecond{250e6}, BytesPerSecond{1500e6}, ""};
  probe.decoding = {500, 375, Bytes(30000), {900}, {150}};
  probe.notes = {"the machine was busy"};
  return probe;
}

TEST(ProbeDevice, IsTheSameAfterWritingAndReadingIt) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(probe_device(some_probe(machine))));
  const auto device = read_probe(machine.root() + "/this.json");
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->name, "this");
  EXPECT_EQ(device->title, "Acme(R) Fast @ 2.50GHz");
  EXPECT_EQ(device->note, "the machine was busy");
  EXPECT_EQ(device->cores, Count(4));
  EXPECT_EQ(device->threads, Count(8));
  EXPECT_EQ(device->memory, Bytes(int64_t{8} << 30));
  EXPECT_EQ(device->peak.at(DType::f32).per_second, 190e9);
  EXPECT_EQ(device->peak.at(DType::i8).per_second, 800e9);
  EXPECT_EQ(device->core_peak.at(DType::f32).per_second, 50.12e9);  // four digits
  EXPECT_EQ(device->memory_bandwidth->per_second, 30e9);
  EXPECT_EQ(device->core_bandwidth->per_second, 10e9);
  EXPECT_EQ(device->l1_bandwidth->per_second, 1200e9);
  EXPECT_FALSE(device->l2_bandwidth.has_value());
  EXPECT_EQ(device->l1_cache, Bytes(48 << 10));
  EXPECT_EQ(device->l3_cache, Bytes(int64_t{48} << 20));
  EXPECT_EQ(device->disk_read->per_second, 1.5e9);
  EXPECT_EQ(device->disk_write->per_second, 0.25e9);
  EXPECT_EQ(device->decode_rate->per_second, 900);
  EXPECT_EQ(device->decode_rate_augmented->per_second, 150);
  EXPECT_EQ(device->figure("peak.f32")->date, "2026-03-04");
}

TEST(ProbeDevice, ADiskThatWasNotMeasuredIsAbsent) {
  const MadeUpMachine machine;
  Probe probe = some_probe(machine);
  probe.disk = {{}, {}, "not measured"};
  const Device device = probe_device(probe);
  EXPECT_FALSE(device.disk_read.has_value());
  EXPECT_EQ(device.figure("disk_write"), nullptr);
}

TEST(ProbeDevice, IsUsedAsThisMachine) {
  const MadeUpMachine machine;
  machine.put("/this.json", write_device(probe_device(some_probe(machine))));
  const auto here = load_this_device(machine.root() + "/this.json", machine.root());
  ASSERT_TRUE(here.ok()) << here.error().line();
  EXPECT_TRUE(here->probed);
  EXPECT_EQ(here->notes, std::vector<std::string>{"the machine was busy"});
}

}  // namespace
}  // namespace plimsoll
