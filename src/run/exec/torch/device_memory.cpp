#include "run/exec/torch/device_memory.h"

#include <fmt/format.h>

#include "base/field_mark.h"
#include "base/units.h"
#include "run/exec/torch/call.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

class GpuMemory : public DeviceMemory {
 public:
  Result<std::shared_ptr<std::byte>> take(Bytes size) const override {
    TorchTensor all = TorchTensor::allocated({DType::u8, {size.value()}});
    if (!call_failure().empty())
      return environment_error(fmt::format("out of memory on {}: {} needed in one piece: {}",
                                           opened_torch().device().name(), human_bytes(size), take_call_failure()),
                               "a smaller " + named("batch") + " needs less");
    std::byte* data = all.data();
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
