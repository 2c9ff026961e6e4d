#include "plan/memory/framework_context.h"

#include <algorithm>
#include <charconv>

#include "plan/memory/framework_fitted.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

bool one_of(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

int64_t units_of(const Device* device) {
  constexpr int64_t kTypicalUnits = 40;
  constexpr int64_t kCoresOfUnit = 64;
  if (device && device->units) return device->units->value();
  if (device && device->cores) return std::max<int64_t>(device->cores->value() / kCoresOfUnit, 1);
  return kTypicalUnits;
}

int compute_capability(const Device& device) {
  int major = 0;
  std::from_chars(device.compute_capability.data(), device.compute_capability.data() + device.compute_capability.size(),
                  major);
  return major;
}

}  // namespace

Bytes pytorch_context(const Device* device) {
  // From these generations on, only versions run that load a kernel when it is first used (CUDA 11.7 and later).
  // Not measured here: reports of about 300 MiB on a middle-sized card, and the stacks of 1 KiB a thread.
  constexpr int64_t kLazyCode = 250 * kMiB;
  constexpr int64_t kLazyUnit = 5 * kMiB / 2;
  // Ampere needs CUDA 11 and cuDNN 8, whose code is larger than that of the versions that the other figures are from:
  // by 270 to 320 MiB on an A100, and by as much on an RTX 3090, where batches of timm_train_rtx3090 ran or did not.
  constexpr int64_t kCuda11 = 290 * kMiB;
  const std::string_view generation = device ? std::string_view(device->generation) : "";
  if (one_of(generation, {"ada", "hopper", "blackwell"})) return Bytes(kLazyCode + kLazyUnit * units_of(device));
  int64_t code = (kPlainCode.value() + kTensorCode.value()) / 2;  // between the two that were measured
  if (generation == "kepler") code = kPlainCode.value();
  if (one_of(generation, {"volta", "turing", "ampere"})) code = kTensorCode.value();
  if (generation == "ampere") code += kCuda11;
  return Bytes(code) + kUnitStacks * units_of(device);
}

Bytes tensorflow_reserve(const Device* device) {
  constexpr int64_t kTwoGiB = int64_t{1} << 31;
  constexpr int64_t kTypicalMemory = 4 * kTwoGiB;
  // Driver, screen and context: a straight line through start-up logs of cards from 2 to 24 GiB without error
  // correction (tests/data/facts/tensorflow_usable_memory.csv); single cards are up to 75 MiB off it.
  const int64_t memory = device && device->memory ? device->memory->value() : kTypicalMemory;
  const int64_t unseen = 512 * kMiB + memory / 256;
  // TensorFlow's own table of what it leaves to the system.
  if (memory - unseen < kTwoGiB) return Bytes(unseen + 225 * kMiB);
  const int major = device ? compute_capability(*device) : 0;
  const int64_t left = major <= 6 ? 500 : major == 7 ? 1050 : major == 8 ? 1536 : 1800;
  return Bytes(unseen + left * kMiB);
}

}  // namespace plimsoll
