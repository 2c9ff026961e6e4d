#include "run/exec/torch/device_memory.h"

#include <fmt/format.h>

#include "base/field_mark.h"
#include "base/units.h"
#include "run/exec/torch/call.h"
#include "run/exec/torch/call_error.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/steering.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

Error refused(Bytes size, const std::string& why) {
  if (!means_no_memory(why)) return call_error("taking memory", why);
  const auto gpu = gpu_memory_in_use();
  const std::string there =
      gpu ? fmt::format(", {} of {} are free", human_bytes(gpu->whole - gpu->in_use), human_bytes(gpu->whole)) : "";
  return environment_error(fmt::format("out of memory on {}: {} needed in one piece{}", opened_torch().device().name(),
                                       human_bytes(size), there),
                           "a smaller " + named("batch") + " needs less");
}

// What is handed out begins inside of what was taken: libtorch gives back by its address what was placed at the start
// of a plan, and the allocator would take that for the whole.
class GpuMemory : public DeviceMemory {
 public:
  Result<std::shared_ptr<std::byte>> take(Bytes size) const override {
    constexpr int64_t kInside = 2 * kDeviceLine;
    TorchTensor all = TorchTensor::allocated({DType::u8, {size.value() + kInside}});
    if (!call_failure().empty()) return refused(size, take_call_failure());
    std::byte* data = all.data() + kInside;
    clear_on_device(data, size_t(size.value()));
    auto kept = std::make_shared<TorchTensor>(std::move(all));
    return std::shared_ptr<std::byte>(kept, data);
  }
};

// torch:cpu works in the host's.
class HostMemory : public DeviceMemory {
 public:
  Result<std::shared_ptr<std::byte>> take(Bytes size) const override {
    PLIM_ASSIGN(Pages pages, Pages::take(size, Touched::when_used));
    auto kept = std::make_shared<Pages>(std::move(pages));
    return std::shared_ptr<std::byte>(kept, kept->bytes().data());
  }
};

}  // namespace

const DeviceMemory& device_memory(const RunDevice& device) {
  static const GpuMemory gpu;
  static const HostMemory host;
  if (device.kind == RunDevice::Kind::cuda) return gpu;
  return host;
}

}  // namespace plimsoll
