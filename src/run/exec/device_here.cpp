#include "run/exec/device_here.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plan/devices/all_devices.h"
#include "plan/devices/guessed_device.h"
#include "plan/devices/read_device.h"
#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/exec/torch/gpu_driver.h"

namespace plimsoll {
namespace {

constexpr const char* kDriver = "derived: the NVIDIA driver";

struct Generation {
  int major, minor;  // the first that is of it
  const char* name;
};
constexpr Generation kGenerations[] = {{3, 0, "kepler"}, {5, 0, "maxwell"}, {6, 0, "pascal"},
                                       {7, 0, "volta"},  {7, 5, "turing"},  {8, 0, "ampere"},
                                       {8, 9, "ada"},    {9, 0, "hopper"},  {10, 0, "blackwell"}};

std::string generation_of(const GpuFacts& gpu) {
  std::string name;
  for (const Generation& one : kGenerations)
    if (std::pair(gpu.major, gpu.minor) >= std::pair(one.major, one.minor)) name = one.name;
  return name;
}

// What the catalog has of it, if that knows the name.
Device catalog_device(const GpuFacts& gpu) {
  const auto guessed = guess_device(gpu.name);
  if (auto known = guessed ? find_device(guessed->name) : Result<Device>(user_error("unknown")); known.ok())
    return *std::move(known);
  Device device;
  device.kind = DeviceKind::gpu;
  device.vendor = "nvidia";
  device.generation = generation_of(gpu);
  if (gpu.major > 0) device.compute_capability = fmt::format("{}.{}", gpu.major, gpu.minor);
  if (gpu.multiprocessors > 0) set_figure(device, {"units", double(gpu.multiprocessors), "count", kDriver, {}, {}});
  return device;
}

// "cuda-0": names in device files have no colons.
std::string file_name(const RunDevice& device) {
  std::string name = device.name();
  std::replace(name.begin(), name.end(), ':', '-');
  return name;
}

}  // namespace

std::string device_probe_path(const RunDevice& device) {
  const std::string usual = probe_path();
  if (usual.empty()) return "";
  return (std::filesystem::path(usual).parent_path() / (file_name(device) + ".json")).string();
}

std::optional<Device> kept_probe(const RunDevice& device) {
  const std::string path = device_probe_path(device);
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return std::nullopt;
  auto read = read_device_file(path);
  return read.ok() ? std::optional(*std::move(read)) : std::nullopt;
}

Result<Device> described_device(const RunDevice& device) {
  Device found;
  if (device.kind != RunDevice::Kind::cuda) {
    PLIM_ASSIGN(ThisDevice here, load_this_device());
    found = std::move(here.device);
  } else {
    PLIM_ASSIGN(const GpuFacts gpu, gpu_facts(device.index));
    found = catalog_device(gpu);
    found.title = gpu.name.empty() ? device.name() : gpu.name;
    set_figure(found, {"memory", double(gpu.memory.value()), "B", kDriver, {}, {}});
  }
  found.name = file_name(device);
  return found;
}

Result<Candidate> candidate_of(const RunDevice& device) {
  Candidate candidate;
  PLIM_ASSIGN(candidate.whole, described_device(device));
  const Bytes memory = candidate.whole.memory.value_or(Bytes(0));
  if (auto probed = kept_probe(device)) {
    candidate.whole = *std::move(probed);
    candidate.whole.memory = memory;
  }
  candidate.whole.name = device.name();
  candidate.part = candidate.whole;
  return candidate;
}

}  // namespace plimsoll
