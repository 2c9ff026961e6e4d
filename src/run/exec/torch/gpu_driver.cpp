#include "run/exec/torch/gpu_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdlib>

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
  int (*error_text)(int code, const char** text) = nullptr;
};

std::atomic<bool> started = false;
constexpr int kNoGpu = 100;  // CUDA_ERROR_NO_DEVICE
constexpr const char* kVisible = "CUDA_VISIBLE_DEVICES";

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
    find(library, "cuGetErrorString", driver.error_text);
    return driver;
  }
  return environment_error("libcuda.so.1 is not an NVIDIA driver: it lacks functions",
                           "install the driver of the GPU again");
}

// Programs see no other GPUs than those that it names, whatever nvidia-smi lists.
std::string what_lists_them() {
  const char* visible = std::getenv(kVisible);
  if (!visible) return "nvidia-smi lists what it finds";
  return fmt::format("{} is {}, which hides all others", kVisible, in_quotes(visible));
}

Error cannot_start(const Driver& driver, int code) {
  const char* text = nullptr;
  if (driver.error_text) driver.error_text(code, &text);
  return environment_error(
      fmt::format("the NVIDIA driver does not start: {} (error {})", text ? printable(text, 200) : "no reason is given",
                  code),
      "nvidia-smi tells whether it runs; an update of the driver takes effect with the next start of the machine");
}

Result<int> count_of_gpus(const Driver& driver) {
  started = true;
  const int code = driver.start(0);
  if (code != 0 && code != kNoGpu) return cannot_start(driver, code);
  int gpus = 0;
  if (code == kNoGpu || driver.count(&gpus) != 0 || gpus == 0)
    return environment_error("the NVIDIA driver finds no GPU", what_lists_them());
  return gpus;
}

Error not_there(int index, int gpus) {
  const char* visible = std::getenv(kVisible);
  const std::string there = fmt::format("{} GPU{}", gpus, gpus == 1 ? "" : "s");
  return user_error(visible ? fmt::format("cuda:{} is not there: {} is {}, which leaves {}", index, kVisible,
                                          in_quotes(visible), there)
                            : fmt::format("cuda:{} is not there: this machine has {}", index, there),
                    fmt::format("the last is cuda:{}; each worker takes one of its own", gpus - 1));
}

}  // namespace

bool driver_in_use() { return started; }

Result<GpuFacts> gpu_facts(int index) {
  PLIM_ASSIGN(const Driver driver, open_driver());
  PLIM_ASSIGN(const int gpus, count_of_gpus(driver));
  int gpu = 0;
  size_t bytes = 0;
  if (index >= gpus) return not_there(index, gpus);
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
