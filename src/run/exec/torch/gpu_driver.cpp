#include "run/exec/torch/gpu_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace plimsoll {
namespace {

// The driver's functions return 0 when all is well.
struct Driver {
  int (*start)(unsigned flags) = nullptr;
  int (*count)(int* gpus) = nullptr;
  int (*get)(int* gpu, int index) = nullptr;
  int (*memory)(size_t* bytes, int gpu) = nullptr;
  int (*name)(char* text, int most, int gpu) = nullptr;  // these two may be missing
  int (*attribute)(int* value, int which, int gpu) = nullptr;
};

// As the driver numbers attributes.
constexpr int kMultiprocessors = 16, kMajor = 75, kMinor = 76;

template <class F>
bool find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  return function != nullptr;
}

Result<Driver> open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return environment_error("no NVIDIA driver is found (libcuda.so.1)",
                             "install the driver of the GPU; torch:cpu runs the same path on the processor");
  Driver driver;
  if (find(library, "cuInit", driver.start) && find(library, "cuDeviceGetCount", driver.count) &&
      find(library, "cuDeviceGet", driver.get) && find(library, "cuDeviceTotalMem_v2", driver.memory)) {
    find(library, "cuDeviceGetName", driver.name);
    find(library, "cuDeviceGetAttribute", driver.attribute);
    return driver;
  }
  return environment_error("libcuda.so.1 is no NVIDIA driver: functions are missing in it",
                           "install the driver of the GPU again");
}

}  // namespace

Result<GpuFacts> gpu_facts(int index) {
  PLIM_ASSIGN(const Driver driver, open_driver());
  int gpus = 0, gpu = 0;
  size_t bytes = 0;
  if (driver.start(0) != 0 || driver.count(&gpus) != 0 || gpus == 0)
    return environment_error("the NVIDIA driver finds no GPU", "nvidia-smi lists what it finds");
  if (index >= gpus)
    return user_error(fmt::format("cuda:{} is not there: this machine has {} GPU{}", index, gpus, gpus == 1 ? "" : "s"),
                      fmt::format("the last is cuda:{}", gpus - 1));
  if (driver.get(&gpu, index) != 0 || driver.memory(&bytes, gpu) != 0)
    return environment_error(fmt::format("the NVIDIA driver does not say how much memory cuda:{} has", index),
                             "nvidia-smi lists what it finds");
  GpuFacts facts;
  facts.memory = Bytes(int64_t(bytes));
  std::array<char, 256> name{};
  if (driver.name && driver.name(name.data(), int(name.size()) - 1, gpu) == 0) facts.name = printable(name.data(), 200);
  const auto ask = [&](int which, int& into) {
    if (int value = 0; driver.attribute && driver.attribute(&value, which, gpu) == 0) into = value;
  };
  ask(kMultiprocessors, facts.multiprocessors);
  ask(kMajor, facts.major);
  ask(kMinor, facts.minor);
  return facts;
}

}  // namespace plimsoll
