#include "run/exec/torch/torch_allocator.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "run/exec/torch/call_error.h"
#include "run/exec/torch/find_torch.h"
#include "run/exec/torch/gpu_error.h"
#include "run/exec/torch/steering.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

constexpr size_t kOnProcessor = 64;  // bytes, as libtorch aligns

// Where memory comes from when no plan has a place. On a GPU: the runtime's functions, which return 0 when all is well.
struct GpuFunctions {
  int (*take_on_gpu)(void** data, size_t bytes) = nullptr;
  int (*release_on_gpu)(void* data) = nullptr;
  int (*memory)(size_t* unused, size_t* whole) = nullptr;
  void* library = nullptr;
};

struct AllocatorState {
  std::mutex mutex;
  GpuFunctions gpu;
  std::unordered_map<const void*, size_t> there;
  TorchAllocations counts;
  bool in_use = false;
};

// Never destroyed: libtorch gives memory back at the very end of the process.
AllocatorState& allocator_state() {
  static AllocatorState& all = *new AllocatorState();
  return all;
}

thread_local std::string gpu_refusal;

void* from_system(size_t bytes) {
  void* data = nullptr;
  const GpuFunctions& functions = allocator_state().gpu;
  if (functions.take_on_gpu) {
    const int code = functions.take_on_gpu(&data, bytes);
    if (code == 0 && data) return data;
    forget_gpu_error(functions.library);
    if (code != kGpuOutOfMemory) gpu_refusal = gpu_error_text(functions.library, code);
  } else if (posix_memalign(&data, kOnProcessor, bytes) == 0) {
    return data;
  }
  leave_without_memory();  // through libtorch, for which it is the reason why a call failed
  return nullptr;
}

void* take_memory(size_t bytes) {
  if (bytes == 0) return nullptr;
  AllocationScope* scope = AllocationScope::now();
  if (std::byte* place = scope ? scope->place_of(bytes) : nullptr) return place;
  void* data = from_system(bytes);
  {
    const std::lock_guard lock(allocator_state().mutex);
    allocator_state().there[data] = bytes;
    ++allocator_state().counts.taken;
    allocator_state().counts.bytes_there += int64_t(bytes);
  }
  if (scope) scope->taken(static_cast<std::byte*>(data), bytes);
  return data;
}

// What has a place in a plan stays there.
void release_memory(void* data) {
  if (!data) return;
  {
    const std::lock_guard lock(allocator_state().mutex);
    const auto found = allocator_state().there.find(data);
    if (found == allocator_state().there.end()) return;
    allocator_state().counts.bytes_there -= int64_t(found->second);
    allocator_state().there.erase(found);
  }
  if (AllocationScope* scope = AllocationScope::now()) scope->released(static_cast<std::byte*>(data));
  if (allocator_state().gpu.release_on_gpu) allocator_state().gpu.release_on_gpu(data);
  else std::free(data);
}

// As c10::DataPtr and c10::Allocator of the tested releases lie in memory and in their table of functions.
struct LikeDataPtr {
  void* data;
  std::unique_ptr<void, void (*)(void*)> owned;
  int8_t device_type, device_index;
};

class LikeAllocator {
 public:
  virtual ~LikeAllocator() = default;
  virtual LikeDataPtr allocate(size_t bytes) {
    void* data = take_memory(bytes);
    return {data, {data, release_memory}, 0, -1};
  }
  virtual bool is_simple_data_ptr(const LikeDataPtr& pointer) const { return pointer.data == pointer.owned.get(); }
  virtual void (*raw_deleter() const)(void*) { return release_memory; }
  virtual void copy_data(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }
};

template <class F>
bool find_function(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  return function != nullptr;
}

bool use_on_processor(void* library, const std::string& version, std::string& why) {
  constexpr TorchRelease kNewestTested{2, 15};
  const auto release = release_of(version);
  if (!release || std::pair(release->major, release->minor) > std::pair(kNewestTested.major, kNewestTested.minor)) {
    why = fmt::format("libtorch {} is newer than {}.{}", version, kNewestTested.major, kNewestTested.minor);
    return false;
  }
  constexpr uint8_t kBeforeAllOthers = 255;
  void (*set)(LikeAllocator*, uint8_t priority) = nullptr;
  if (!find_function(library, "_ZN3c1015SetCPUAllocatorEPNS_9AllocatorEh", set)) {
    why = "libtorch has no function that sets one";
    return false;
  }
  static LikeAllocator& allocator = *new LikeAllocator();
  set(&allocator, kBeforeAllOthers);
  return true;
}

struct GpuStream;
struct GpuAllocator;
using TakeOnGpu = std::function<void*(size_t, int, GpuStream*)>;
using ReleaseOnGpu = std::function<void(void*, size_t, int, GpuStream*)>;

bool use_on_gpu(void* library, std::string& why) {
  std::shared_ptr<GpuAllocator> (*create)(TakeOnGpu, ReleaseOnGpu) = nullptr;
  void (*change)(const std::shared_ptr<GpuAllocator>&) = nullptr;
  GpuFunctions& functions = allocator_state().gpu;
  if (!find_function(
          library,
          "_ZN5torch4cuda22CUDAPluggableAllocator21createCustomAllocatorESt8functionIFPvmiP11CUstream_stEES2_"
          "IFvS3_miS5_EE",
          create) ||
      !find_function(library,
                     "_ZN5torch4cuda22CUDAPluggableAllocator22changeCurrentAllocatorERKSt10shared_ptrIN3c104cuda20CUDAC"
                     "achingAllocator13CUDAAllocatorEE",
                     change) ||
      !find_function(library, "cudaMalloc", functions.take_on_gpu) ||
      !find_function(library, "cudaFree", functions.release_on_gpu) ||
      !find_function(library, "cudaMemGetInfo", functions.memory)) {
    functions = {};
    why = "libtorch has no pluggable allocator";
    return false;
  }
  functions.library = library;
  try {
    change(create([](size_t bytes, int, GpuStream*) { return take_memory(bytes); },
                  [](void* data, size_t, int, GpuStream*) { release_memory(data); }));
  } catch (const std::exception&) {  // the only one that is no library's call, but its own code
    functions = {};
    why = "libtorch works on a GPU in this process already, with its own allocator";
    return false;
  }
  return true;
}

}  // namespace

TorchAllocations torch_allocations() {
  const std::lock_guard lock(allocator_state().mutex);
  return allocator_state().counts;
}

bool use_own_allocator(void* library, const RunDevice& device, const std::string& version, std::string& why) {
  if (std::getenv("PLIMSOLL_TORCH_ALLOCATOR")) {
    why = "PLIMSOLL_TORCH_ALLOCATOR is set";
    return false;
  }
  const bool on_gpu = device.kind == RunDevice::Kind::cuda;
  return allocator_state().in_use = on_gpu ? use_on_gpu(library, why) : use_on_processor(library, version, why);
}

bool own_allocator_in_use() { return allocator_state().in_use; }

std::optional<GpuMemoryInUse> gpu_memory_in_use() {
  size_t unused = 0, whole = 0;
  const GpuFunctions& functions = allocator_state().gpu;
  if (!functions.memory || !opened_torch().use_gpu().ok()) return std::nullopt;
  if (functions.memory(&unused, &whole) != 0) return forget_gpu_error(functions.library), std::nullopt;
  return GpuMemoryInUse{Bytes(int64_t(whole)), Bytes(int64_t(whole - unused))};
}

std::string take_gpu_refusal() { return std::exchange(gpu_refusal, {}); }

bool is_from_system(const std::byte* data) {
  const std::lock_guard lock(allocator_state().mutex);
  return allocator_state().there.count(data) != 0;
}

void count_out_of_place() {
  const std::lock_guard lock(allocator_state().mutex);
  ++allocator_state().counts.out_of_place;
}

}  // namespace plimsoll
