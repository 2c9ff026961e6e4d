#include "run/exec/torch/gpu_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace plimsoll {
namespace {

// The driver's functions return 0 when all is well.
struct Driver {
  int (*start)(unsigned flags) = nullptr;
  int (*count)(int* gpus) = nullptr;
  int (*get)(int* gpu, int index) = nullptr;
  int (*memory)(size_t* bytes, int gpu) = nullptr;
};

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
      find(library, "cuDeviceGet", driver.get) && find(library, "cuDeviceTotalMem_v2", driver.memory))
    return driver;
  return environment_error("libcuda.so.1 is no NVIDIA driver: functions are missing in it",
                           "install the driver of the GPU again");
}

}  // namespace

Result<Bytes> gpu_memory(int index) {
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
  return Bytes(int64_t(bytes));
}

}  // namespace plimsoll
