// What holds for every device of the catalog, whatever it is.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <set>
#include <tuple>

#include "plan/devices/all_devices.h"
#include "plan/devices/read_device.h"
#include "plan/devices/write_device.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

std::vector<Device> catalog() {
  auto devices = all_devices();
  EXPECT_TRUE(devices.ok()) << devices.error().line();
  return devices.ok() ? *std::move(devices) : std::vector<Device>();
}

TEST(EveryDevice, HasTheNameOfItsFile) {
  for (const auto& file : all_device_files()) {
    SCOPED_TRACE(file.name);
    const auto device = read_device(file.json);
    ASSERT_TRUE(device.ok()) << device.error().line();
    EXPECT_EQ(device->name, file.name);
    EXPECT_TRUE(device->name.starts_with(device->vendor + "-")) << device->vendor;
    EXPECT_TRUE(!device->released.empty() || device->kind == DeviceKind::instance);  // not every cloud says
    EXPECT_FALSE(device->generation.empty());
  }
}

TEST(EveryDevice, HasASourceAndADateForEveryNumber) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    std::set<std::string> used;
    for (const auto& figure : device.figures) {
      SCOPED_TRACE(figure.field);
      used.insert(figure.source);
      EXPECT_TRUE(!figure.date.empty() || figure.source.starts_with("derived: "));
    }
    for (const auto& source : device.sources) EXPECT_TRUE(used.contains(source.key)) << source.key << " is not used";
  }
}

TEST(EveryDevice, IsTheSameAfterWritingAndReadingIt) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    const auto again = read_device(write_device(device));
    ASSERT_TRUE(again.ok()) << again.error().line();
    EXPECT_EQ(write_device(*again), write_device(device));
    ASSERT_EQ(again->figures.size(), device.figures.size());
    for (size_t i = 0; i < device.figures.size(); ++i) {
      const Figure &a = device.figures[i], &b = again->figures[i];
      EXPECT_EQ(std::tie(a.field, a.value, a.unit, a.source, a.date, a.note),
                std::tie(b.field, b.value, b.unit, b.source, b.date, b.note));
    }
    EXPECT_EQ(again->memory, device.memory);
    EXPECT_EQ(again->peak, device.peak);
    EXPECT_EQ(again->matrix_peak, device.matrix_peak);
    EXPECT_EQ(again->aliases, device.aliases);
    EXPECT_EQ(again->contains.size(), device.contains.size());
  }
}

TEST(EveryDevice, ComputesAndRemembers) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    const auto part = compute_part(device);
    ASSERT_TRUE(part.ok()) << part.error().line();
    EXPECT_GT(part->device.memory_bandwidth->per_second, 1e9);
    if (!part->device.peak.empty()) {  // an accelerator for products alone publishes those only
      EXPECT_GT(part->device.peak.at(DType::f32).per_second, 1e10);
    } else {
      EXPECT_FALSE(part->device.matrix_peak.empty());
    }
    EXPECT_GE(part->count, 1);
    if (device.kind == DeviceKind::gpu || device.memory) {
      EXPECT_GE(device.memory->value(), int64_t{1} << 30);
    }
  }
}

// The published or derived peak against cores × operations × clock.
TEST(EveryDevice, PeakAgreesWithCoresAndClock) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    if (!device.cores || !device.f32_per_cycle || !device.peak.contains(DType::f32)) continue;
    const auto clock = device.kind == DeviceKind::gpu ? device.boost_clock
                       : device.vector_clock          ? device.vector_clock
                                                      : device.base_clock;
    if (!clock) continue;
    const double product = double(device.cores->value()) * *device.f32_per_cycle * clock->per_second;
    EXPECT_NEAR(device.peak.at(DType::f32).per_second / product, 1, 0.15);
  }
}

TEST(EveryDevice, NarrowFormatsAreNotSlowerOnMatrixUnits) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    const auto at = [&](DType type) {
      const auto found = device.matrix_peak.find(type);
      return found == device.matrix_peak.end() ? 0.0 : found->second.per_second;
    };
    if (at(DType::f16) > 0) {
      EXPECT_GT(at(DType::f16), device.peak.at(DType::f32).per_second);
    }
    if (at(DType::tf32) > 0) {
      EXPECT_NEAR(at(DType::f16) / at(DType::tf32), 2, 0.1);
    }
    if (at(DType::i8) > 0 && at(DType::f16) > 0) {
      EXPECT_GE(at(DType::i8), at(DType::f16));
    }
    if (at(DType::bf16) > 0 && at(DType::f16) > 0 && device.generation != "cdna1") {  // which has half of it
      EXPECT_EQ(at(DType::bf16), at(DType::f16));
    }
    for (const auto& [type, peak] : device.peak) {
      if (type == DType::f64) {
        EXPECT_LE(peak.per_second, device.peak.at(DType::f32).per_second);
      }
    }
  }
}

TEST(EveryDevice, ClocksAndCoresAreInOrder) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    if (device.base_clock && device.boost_clock) {
      EXPECT_LE(*device.base_clock, *device.boost_clock);
    }
    if (device.cores && device.threads) {
      EXPECT_LE(*device.cores, *device.threads);
    }
    if (device.cores && device.units) {
      EXPECT_EQ(device.cores->value() % device.units->value(), 0);
    }
    if (device.tensor_cores && device.units) {
      EXPECT_EQ(device.tensor_cores->value() % device.units->value(), 0);
    }
    if (device.memory && device.memory_max) {
      EXPECT_LE(*device.memory, *device.memory_max);
    }
  }
}

TEST(EveryDevice, ContainsDevicesThatAreThere) {
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    for (const auto& contained : device.contains) {
      const auto part = find_device(contained.device);
      ASSERT_TRUE(part.ok()) << part.error().line();
      EXPECT_EQ(part->name, contained.device) << "an alias";
      EXPECT_EQ(contained.threads > 0, part->kind == DeviceKind::cpu && device.kind == DeviceKind::instance);
    }
  }
}

TEST(AllDevices, AreSortedAndHaveNamesOfTheirOwn) {
  const auto devices = catalog();
  EXPECT_GE(devices.size(), 60u);
  std::set<std::string> seen;
  std::string last;
  for (const auto& device : devices) {
    EXPECT_LT(last, device.name);
    last = device.name;
    EXPECT_TRUE(seen.insert(device.name).second) << device.name;
    for (const auto& alias : device.aliases) EXPECT_TRUE(seen.insert(alias).second) << alias;
  }
}

TEST(AllDevices, OfEveryGenerationAndKind) {
  std::set<std::string> generations;
  std::map<DeviceKind, int> kinds;
  for (const auto& device : catalog()) {
    generations.insert(device.generation);
    ++kinds[device.kind];
  }
  for (const auto* generation : {"kepler", "maxwell", "pascal", "volta", "turing", "ampere", "ada", "hopper",
                                 "blackwell", "cdna1", "cdna2", "cdna3", "cdna4", "rdna2", "rdna3", "rdna4"})
    EXPECT_TRUE(generations.contains(generation)) << generation;
  EXPECT_GE(kinds[DeviceKind::gpu], 40);
  EXPECT_GE(kinds[DeviceKind::cpu], 9);
  EXPECT_GE(kinds[DeviceKind::node], 2);
  EXPECT_GE(kinds[DeviceKind::instance], 10);
}

// "384", "4 cores 8 threads", "1.6-3.4 GHz": the numbers of a cell, in order.
std::vector<double> numbers(const std::string& cell) {
  std::vector<double> found;
  for (size_t i = 0; i < cell.size();) {
    if (!std::isdigit(static_cast<unsigned char>(cell[i]))) {
      ++i;
      continue;
    }
    size_t length = 0;
    found.push_back(std::stod(cell.substr(i), &length));
    i += length;
  }
  return found;
}

double clock_unit(const std::string& cell) { return cell.ends_with("GHz") ? 1e9 : 1e6; }

// Every device that is named is there, with the figures the table gives.
TEST(AllDevices, HasEveryNamedDevice) {
  for (const auto& row : facts("devices_named.csv")) {
    const std::string cell = row.at("device"), name = cell.substr(0, cell.find(' '));
    SCOPED_TRACE(cell);
    const auto device = find_device(name);
    ASSERT_TRUE(device.ok()) << device.error().line();
    EXPECT_EQ(name_of(device->kind), row.at("kind"));
    if (cell.find("two sockets") != std::string::npos) {
      EXPECT_EQ(device->sockets, Count(2));
    }
    const auto cores = numbers(row.at("cores_or_cuda_cores"));
    const bool each = row.at("cores_or_cuda_cores").ends_with("each");
    if (device->kind == DeviceKind::node) {
      EXPECT_EQ(compute_part(*device)->count, int64_t(cores.at(0)));
    } else if (!cores.empty()) {
      EXPECT_EQ(device->cores->value(), int64_t(cores[0]) * (each ? device->sockets->value() : 1));
      if (cores.size() > 1) {
        EXPECT_EQ((device->kind == DeviceKind::gpu ? device->tensor_cores : device->threads)->value(),
                  int64_t(cores[1]));
      }
    }
    const auto memory = numbers(row.at("memory_gb"));
    if (!memory.empty()) {
      EXPECT_EQ(device->memory->value(), int64_t(memory[0]) << 30);
    }
    if (memory.size() > 1) {
      EXPECT_EQ(device->memory_max->value(), int64_t(memory[1]) << 30);
    }
    const auto bandwidth = numbers(row.at("bandwidth_gb_s"));
    if (!bandwidth.empty()) {
      EXPECT_EQ(device->memory_bandwidth->per_second, bandwidth[0] * 1e9);
    }
    const auto clocks = numbers(row.at("clock"));
    if (clocks.size() == 2) {
      EXPECT_EQ(device->base_clock->per_second, clocks[0] * clock_unit(row.at("clock")));
      EXPECT_EQ(device->boost_clock->per_second, clocks[1] * clock_unit(row.at("clock")));
    }
    const std::string capability = "compute capability ", note = row.at("note");
    if (note.starts_with(capability)) {
      EXPECT_EQ(device->compute_capability, note.substr(capability.size()));
    }
  }
}

// Those on which others have measured.
TEST(AllDevices, HasEveryMeasuredDevice) {
  for (const auto* name : {"nvidia-tesla-k80", "nvidia-rtx-2070-super", "nvidia-quadro-rtx-5000", "nvidia-v100-16gb",
                           "nvidia-gtx-1080-ti", "nvidia-titan-x-pascal", "nvidia-gtx-1080", "nvidia-titan-x-maxwell",
                           "intel-xeon-e5-2630-v3", "nvidia-rtx-2080-ti", "nvidia-titan-xp", "nvidia-titan-v"}) {
    const auto device = find_device(name);
    EXPECT_TRUE(device.ok()) << device.error().line();
  }
  for (const auto& row : facts("catsdogs_runs.csv")) {
    const auto device = find_device(row.at("hardware"));
    ASSERT_TRUE(device.ok()) << device.error().line();
    EXPECT_EQ(device->memory->value(), int64_t(std::stod(row.at("memory_gb"))) << 30);
  }
}

}  // namespace
}  // namespace plimsoll
