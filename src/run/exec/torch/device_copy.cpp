#include "run/exec/torch/device_copy.h"

#include "run/exec/torch/call.h"
#include "run/exec/torch/torch_library.h"
#include "run/exec/torch/torch_threads.h"

namespace plimsoll {
namespace {

TensorType bytes_type(size_t bytes) { return {DType::u8, {int64_t(bytes)}}; }

}  // namespace

void copy_to_device(std::byte* to, std::span<const std::byte> from) {
  if (from.empty()) return;
  use_torch_gpu();
  const TensorType type = bytes_type(from.size());
  copy_into(TorchTensor::on_device(type, to), TorchTensor::on_host(type, const_cast<std::byte*>(from.data())));
}

void copy_to_host(std::span<std::byte> to, std::byte* from) {
  if (to.empty()) return;
  use_torch_gpu();
  const TensorType type = bytes_type(to.size());
  copy_into(TorchTensor::on_host(type, to.data()), TorchTensor::on_device(type, from));
}

void copy_on_device(std::byte* to, std::byte* from, size_t bytes) {
  if (bytes == 0) return;
  const TensorType type = bytes_type(bytes);
  copy_into(TorchTensor::on_device(type, to), TorchTensor::on_device(type, from));
}

void clear_on_device(std::byte* data, size_t bytes) {
  if (bytes == 0) return;
  const TorchTensor all = TorchTensor::on_device(bytes_type(bytes), data);
  if (all.present()) check_call(opened_torch().api().zero(all.handle()), "zero");
}

}  // namespace plimsoll
