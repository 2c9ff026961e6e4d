#include "run/exec/torch/torch_tensor.h"

#include "run/exec/torch/call.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

using DTypeOf = int32_t (*TorchApi::*)();

DTypeOf dtype_of(DType type) {
  switch (type) {
    case DType::f64: return &TorchApi::f64;
    case DType::f32: return &TorchApi::f32;
    case DType::bf16: return &TorchApi::bf16;
    case DType::f16: return &TorchApi::f16;
    case DType::i64: return &TorchApi::i64;
    case DType::i32: return &TorchApi::i32;
    case DType::i16: return &TorchApi::i16;
    case DType::i8: return &TorchApi::i8;
    case DType::u8: return &TorchApi::u8;
    case DType::boolean: return &TorchApi::boolean;
    default: return nullptr;
  }
}

struct Place {
  int32_t device, index;
};

Place host_place() { return {opened_torch().api().cpu(), -1}; }

Place device_place() {
  const RunDevice& device = opened_torch().device();
  if (device.kind == RunDevice::Kind::cuda) return {opened_torch().api().cuda(), device.index};
  return host_place();
}

TorchTensor view(DType dtype, const Ints& sizes, const Ints& strides, std::byte* data, Place place) {
  const TorchApi& api = opened_torch().api();
  TensorHandle made = nullptr;
  check_call(api.from_blob(data, int64_t(sizes.size()), sizes.data(), strides.data(), 0, torch_dtype(dtype),
                           place.device, place.index, &made, api.strided(), nullptr, 0, nullptr, nullptr),
             "from_blob");
  return TorchTensor(made);
}

}  // namespace

bool has_dtype(DType type) { return dtype_of(type) != nullptr; }

int32_t torch_dtype(DType type) {
  PLIM_CHECK(has_dtype(type), "a type that torch does not have");
  return (opened_torch().api().*dtype_of(type))();
}

TorchTensor::~TorchTensor() {
  if (handle_) opened_torch().api().delete_tensor(handle_);
}

TorchTensor TorchTensor::on_device(const TensorType& type, std::byte* data) {
  return view(type.dtype, type.shape.dims(), type.shape.strides(), data, device_place());
}

TorchTensor TorchTensor::on_host(const TensorType& type, std::byte* data) {
  return view(type.dtype, type.shape.dims(), type.shape.strides(), data, host_place());
}

TorchTensor TorchTensor::strided(DType dtype, const Ints& sizes, const Ints& strides, std::byte* data) {
  return view(dtype, sizes, strides, data, device_place());
}

TorchTensor TorchTensor::allocated(const TensorType& type) {
  return allocated_strided(type.dtype, type.shape.dims(), type.shape.strides());
}

TorchTensor TorchTensor::allocated_strided(DType dtype, const Ints& sizes, const Ints& strides) {
  const Place place = device_place();
  TensorHandle made = nullptr;
  check_call(opened_torch().api().empty(int64_t(sizes.size()), sizes.data(), strides.data(), torch_dtype(dtype),
                                        place.device, place.index, &made),
             "empty");
  return TorchTensor(made);
}

bool TorchTensor::defined() const {
  bool is = false;
  return handle_ && opened_torch().api().is_defined(handle_, &is) == 0 && is;
}

std::byte* TorchTensor::data() const {
  void* data = nullptr;
  if (handle_) check_call(opened_torch().api().data_ptr(handle_, &data), "data_ptr");
  return static_cast<std::byte*>(data);
}

bool TorchTensor::row_major() const {
  bool is = false;
  if (handle_) check_call(opened_torch().api().is_contiguous(handle_, &is), "is_contiguous");
  return is;
}

int32_t TorchTensor::type_number() const {
  int32_t number = -1;
  if (handle_) check_call(opened_torch().api().dtype(handle_, &number), "get_dtype");
  return number;
}

int64_t TorchTensor::count() const {
  int64_t count = 0;
  if (handle_) check_call(opened_torch().api().numel(handle_, &count), "get_numel");
  return count;
}

}  // namespace plimsoll
