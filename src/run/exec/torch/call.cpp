#include "run/exec/torch/call.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

// The release that torch_api.h was written against: torch translates for what has changed since.
constexpr uint64_t kWrittenFor = uint64_t{2} << 56 | uint64_t{13} << 48;

thread_local std::string failure;

const TorchApi& api() { return opened_torch().api(); }

TorchTensor made_by(int32_t code, TensorHandle made, const char* what) {
  check_call(code, what);
  return TorchTensor(code == 0 ? made : nullptr);
}

template <class Items, class Push>
Slot list_of(const Items& items, Push&& push) {
  ListHandle list = nullptr;
  check_call(api().new_list(items.size(), &list), "new_list");
  for (size_t i = 0; i < items.size(); ++i) check_call(api().push_back(list, push(items[i])), "push_back");
  return reinterpret_cast<Slot>(list);
}

}  // namespace

const std::string& call_failure() { return failure; }

std::string take_call_failure() { return std::exchange(failure, {}); }

void check_call(int32_t code, const char* what) {
  if (code == 0 || !failure.empty()) return;
  const char* told = api().what();
  std::string why = take_gpu_refusal();
  if (why.empty()) why = told ? told : "no reason is given";
  failure = fmt::format("{}: {}", what, printable(why.substr(0, why.find('\n')), 400));  // the first line says it
}

}  // namespace plimsoll

namespace plimsoll::detail {

Slot slot(const TorchTensor& tensor) {
  TensorHandle made = nullptr;
  if (!tensor.present()) return 0;
  check_call(api().new_handle(tensor.handle(), &made), "new_handle");  // a call takes its arguments over
  return reinterpret_cast<Slot>(made);
}

Slot slot(const Tensors& tensors) {
  return list_of(tensors.list, [](const TorchTensor* tensor) { return slot(*tensor); });
}

Slot slot(const Ints& numbers) {
  return list_of(numbers, [](int64_t number) { return Slot(number); });
}

Slot slot(const Flags& flags) {
  return list_of(flags.list, [](bool flag) { return Slot(flag); });
}

Slot slot(Text text) {
  void* made = nullptr;
  check_call(api().new_string(text.text, std::strlen(text.text), &made), "new_string");
  return reinterpret_cast<Slot>(made);
}

Slot optional_slot(Slot value) {
  Slot* made = nullptr;
  check_call(api().new_slot(&made), "new_slot");
  if (made) *made = value;
  return reinterpret_cast<Slot>(made);
}

void dispatch(const char* op, const char* overload, Slot* stack) {
  if (failure.empty()) check_call(api().call(op, overload, stack, kWrittenFor), op);
}

}  // namespace plimsoll::detail

namespace plimsoll {

TorchTensor add(const TorchTensor& a, const TorchTensor& b, double factor) {
  TensorHandle made = nullptr;
  if (!failure.empty()) return {};
  const int32_t code = api().with_numbers.add(a.handle(), b.handle(), factor, &made);
  return made_by(code, made, "add");
}

TorchTensor add(const TorchTensor& a, double number) {
  TensorHandle made = nullptr;
  if (!failure.empty()) return {};
  const int32_t code = api().with_numbers.add_number(a.handle(), number, 1, &made);
  return made_by(code, made, "add");
}

TorchTensor multiply(const TorchTensor& a, double number) {
  TensorHandle made = nullptr;
  if (!failure.empty()) return {};
  const int32_t code = api().with_numbers.multiply(a.handle(), number, &made);
  return made_by(code, made, "multiply");
}

TorchTensor power(const TorchTensor& a, double exponent) {
  TensorHandle made = nullptr;
  if (!failure.empty()) return {};
  const int32_t code = api().with_numbers.power(a.handle(), exponent, &made);
  return made_by(code, made, "power");
}

void copy_into(const TorchTensor& to, const TorchTensor& from) {
  if (failure.empty()) check_call(api().copy(to.handle(), from.handle(), 0), "copy");
}

}  // namespace plimsoll
