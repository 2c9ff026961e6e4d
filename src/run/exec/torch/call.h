// Calls of libtorch's operations by their names, as in native_functions.yaml: call("aten::relu", "", x).
//
// A call that fails leaves empty tensors and its reason in call_failure(); until somebody takes that, calls of the same
// thread do nothing. So a kernel is written straight on, and whoever ran it asks once.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "run/exec/torch/torch_tensor.h"

namespace plimsoll {

// What has failed on this thread since it was last taken; empty: nothing.
const std::string& call_failure();
std::string take_call_failure();
void check_call(int32_t code, const char* what);

}  // namespace plimsoll

namespace plimsoll::detail {

struct None {};
struct Text {
  const char* text;
};
struct Type {
  DType type;
};
struct Tensors {
  std::vector<const TorchTensor*> list;
};
struct Flags {
  std::vector<bool> list;
};

Slot slot(const TorchTensor& tensor);
Slot slot(const Tensors& tensors);
Slot slot(const Ints& numbers);
Slot slot(const Flags& flags);
Slot slot(Text text);
inline Slot slot(Type type) { return Slot(torch_dtype(type.type)); }
inline Slot slot(None) { return 0; }
inline Slot slot(bool flag) { return flag; }
inline Slot slot(int64_t number) { return Slot(number); }
inline Slot slot(int number) { return Slot(int64_t(number)); }
inline Slot slot(double number) {
  Slot bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
Slot optional_slot(Slot value);

template <class T>
struct Some {
  const T& value;
};
template <class T>
Slot slot(const Some<T>& some) {
  return optional_slot(slot(some.value));
}
// An absent tensor is none.
struct Maybe {
  const TorchTensor& tensor;
};
inline Slot slot(const Maybe& maybe) { return maybe.tensor.present() ? optional_slot(slot(maybe.tensor)) : 0; }

void dispatch(const char* op, const char* overload, Slot* stack);

}  // namespace plimsoll::detail

namespace plimsoll {

inline constexpr detail::None none;
template <class T>
detail::Some<T> some(const T& value) {
  return {value};
}
inline detail::Maybe maybe(const TorchTensor& tensor) { return {tensor}; }

// So many results; 0 for operations that return nothing.
template <size_t results, class... Arguments>
std::array<TorchTensor, results> calls(const char* op, const char* overload, const Arguments&... arguments) {
  std::array<TorchTensor, results> made;
  if (!call_failure().empty()) return made;
  std::array<Slot, (sizeof...(arguments) > results ? sizeof...(arguments) : results)> stack{detail::slot(arguments)...};
  detail::dispatch(op, overload, stack.data());
  if (call_failure().empty())
    for (size_t i = 0; i < results; ++i) made[i] = TorchTensor(std::bit_cast<TensorHandle>(stack[i]));
  return made;
}

template <class... Arguments>
TorchTensor call(const char* op, const char* overload, const Arguments&... arguments) {
  return std::move(calls<1>(op, overload, arguments...)[0]);
}

// Arithmetic with numbers, which the dispatcher does not take: a + factor · b, a + b, a · b, a ^ b.
TorchTensor add(const TorchTensor& a, const TorchTensor& b, double factor = 1);
TorchTensor add(const TorchTensor& a, double number);
TorchTensor multiply(const TorchTensor& a, double number);
TorchTensor power(const TorchTensor& a, double exponent);
inline TorchTensor multiply(const TorchTensor& a, const TorchTensor& b) { return call("aten::mul", "Tensor", a, b); }
inline TorchTensor divide(const TorchTensor& a, const TorchTensor& b) { return call("aten::div", "Tensor", a, b); }

// `from` into `to`, converted where their types differ and broadcast where their shapes do. Between host and device it
// is over when this returns.
void copy_into(const TorchTensor& to, const TorchTensor& from);

inline TorchTensor reshaped(const TorchTensor& x, const Ints& sizes) { return call("aten::reshape", "", x, sizes); }

}  // namespace plimsoll
