// TorchTensor: a tensor of libtorch, owned: numbers that it has allocated, or a view of memory that is ours. Empty
// where something optional is absent.
#pragma once

#include <utility>
#include <vector>

#include "model/ir/tensor.h"
#include "run/exec/torch/torch_api.h"

namespace plimsoll {

using Ints = std::vector<int64_t>;

class TorchTensor {
 public:
  TorchTensor() = default;
  explicit TorchTensor(TensorHandle handle) : handle_(handle) {}
  TorchTensor(TorchTensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  TorchTensor& operator=(TorchTensor&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~TorchTensor();

  // Row-major numbers at `data` on the device that torch was opened for, or on the host.
  static TorchTensor on_device(const TensorType& type, std::byte* data);
  static TorchTensor on_host(const TensorType& type, std::byte* data);
  // Numbers on the device in any order: element (i, j …) is at i · strides[0] + j · strides[1] …
  static TorchTensor strided(DType dtype, const Ints& sizes, const Ints& strides, std::byte* data);
  // Memory of torch's own on the device, not yet written: row-major, or in any order.
  static TorchTensor allocated(const TensorType& type);
  static TorchTensor allocated_strided(DType dtype, const Ints& sizes, const Ints& strides);

  TensorHandle handle() const { return handle_; }
  bool present() const { return handle_ != nullptr; }
  bool defined() const;  // a call may leave out an output that was not asked for
  std::byte* data() const;
  bool row_major() const;       // one number after another, in the order of the axes
  int32_t type_number() const;  // torch's own
  int64_t count() const;        // of numbers

 private:
  TensorHandle handle_ = nullptr;
};

// torch's number for a type; has_dtype() says whether there is one.
bool has_dtype(DType type);
int32_t torch_dtype(DType type);

}  // namespace plimsoll
