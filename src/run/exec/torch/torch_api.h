// TorchApi: the part of libtorch's stable C interface that is called, declared here: no header of torch is needed to
// build. Filled by torch_library.cpp from the library that the user has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll {

// What libtorch hands out; never looked into.
struct TorchTensorOpaque;
struct TorchListOpaque;
using TensorHandle = TorchTensorOpaque*;
using ListHandle = TorchListOpaque*;
using Slot = uint64_t;  // one argument or result of a call: a number, or a handle that whoever takes it owns

struct TorchApi {
  int32_t (*call)(const char* op, const char* overload, Slot* stack, uint64_t version) = nullptr;
  int32_t (*from_blob)(void* data, int64_t rank, const int64_t* sizes, const int64_t* strides, int64_t offset,
                       int32_t dtype, int32_t device, int32_t index, TensorHandle* made, int32_t layout,
                       const uint8_t* metadata, int64_t metadata_size, void (*deleter)(void*, void*),
                       void* context) = nullptr;
  int32_t (*empty)(int64_t rank, const int64_t* sizes, const int64_t* strides, int32_t dtype, int32_t device,
                   int32_t index, TensorHandle* made) = nullptr;
  int32_t (*new_handle)(TensorHandle of, TensorHandle* made) = nullptr;
  int32_t (*delete_tensor)(TensorHandle) = nullptr;
  int32_t (*data_ptr)(TensorHandle, void** data) = nullptr;
  int32_t (*is_defined)(TensorHandle, bool* is) = nullptr;
  int32_t (*is_contiguous)(TensorHandle, bool* is) = nullptr;
  int32_t (*dtype)(TensorHandle, int32_t* number) = nullptr;
  int32_t (*numel)(TensorHandle, int64_t* count) = nullptr;
  int32_t (*copy)(TensorHandle to, TensorHandle from, int32_t non_blocking) = nullptr;
  int32_t (*zero)(TensorHandle) = nullptr;
  int32_t (*new_list)(size_t reserved, ListHandle* made) = nullptr;
  int32_t (*push_back)(ListHandle, Slot) = nullptr;
  int32_t (*new_slot)(Slot** made) = nullptr;  // the value of an optional argument
  int32_t (*new_string)(const char* text, size_t length, void** made) = nullptr;
  const char* (*what)() = nullptr;  // why the last call failed
  uint64_t (*version)() = nullptr;
  void (*set_grad_mode)(bool on) = nullptr;

  int32_t (*f64)() = nullptr;
  int32_t (*f32)() = nullptr;
  int32_t (*bf16)() = nullptr;
  int32_t (*f16)() = nullptr;
  int32_t (*i64)() = nullptr;
  int32_t (*i32)() = nullptr;
  int32_t (*i16)() = nullptr;
  int32_t (*i8)() = nullptr;
  int32_t (*u8)() = nullptr;
  int32_t (*boolean)() = nullptr;
  int32_t (*cpu)() = nullptr;
  int32_t (*cuda)() = nullptr;
  int32_t (*strided)() = nullptr;

  // The dispatcher takes no numbers of any type ("Scalar"); these few do, one set for each kind of device.
  struct WithNumbers {
    int32_t (*add)(TensorHandle, TensorHandle, double factor, TensorHandle* made) = nullptr;
    int32_t (*add_number)(TensorHandle, double number, double factor, TensorHandle* made) = nullptr;
    int32_t (*multiply)(TensorHandle, double number, TensorHandle* made) = nullptr;
    int32_t (*power)(TensorHandle, double exponent, TensorHandle* made) = nullptr;
    int32_t (*fill)(TensorHandle, double number) = nullptr;
    // out = beta · self + alpha · a · b
    int32_t (*add_product)(TensorHandle out, TensorHandle self, TensorHandle a, TensorHandle b, double beta,
                           double alpha) = nullptr;
    int32_t (*add_products)(TensorHandle out, TensorHandle self, TensorHandle a, TensorHandle b, double beta,
                            double alpha) = nullptr;  // of stacks of matrices
  };
  WithNumbers with_numbers;

  void (*set_threads)(int) = nullptr;  // no part of the stable interface: nullptr where it is missing
};

}  // namespace plimsoll
