#include "run/exec/torch/device_speed.h"

#include <chrono>
#include <limits>

#include "run/exec/torch/call.h"
#include "run/exec/torch/call_error.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/gpu_driver.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_library.h"
#include "run/exec/torch/torch_threads.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kRowsOfGpu = 8192, kRowsOfProcessor = 1024;
constexpr int64_t kCopiedOfGpu = int64_t{1} << 30, kCopiedOfProcessor = int64_t{1} << 26;
constexpr int64_t kShare = 16;  // a tensor takes no more than one of so many parts of a GPU's memory
constexpr int64_t kHostCopy = int64_t{1} << 26;
constexpr int kCalls = 200, kLeastRuns = 3, kWarmUp = 1;

double seconds_from(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Waits for what was called before: a number of it is read.
void wait_for(const TorchTensor& tensor) {
  std::byte number{};
  copy_to_host({&number, 1}, tensor.data());
}

DType stored_as(ComputeFormat::Numbers format) {
  if (format == ComputeFormat::Numbers::bf16) return DType::bf16;
  return format == ComputeFormat::Numbers::f16 ? DType::f16 : DType::f32;
}

TorchTensor cleared(const TensorType& type) {
  TorchTensor tensor = TorchTensor::allocated(type);
  if (tensor.present()) check_call(opened_torch().api().zero(tensor.handle()), "zero");
  return tensor;
}

// A product of zeros takes less current than one of numbers, and a GPU is then faster than it ever is in a step.
TorchTensor filled(const TensorType& type) {
  TorchTensor tensor = cleared(type);
  if (tensor.present()) calls<1>("aten::uniform_", "", tensor, -1.0, 1.0, none);
  return tensor;
}

}  // namespace

Result<DeviceSpeed> DeviceSpeed::open(const RunDevice& device, int threads, Seconds seconds) {
  PLIM_TRY(TorchLibrary::open(device));
  use_torch_threads(threads);
  DeviceSpeed speed;
  const bool on_gpu = device.kind == RunDevice::Kind::cuda;
  speed.device_ = device;
  speed.seconds_ = seconds;
  speed.rows_ = on_gpu ? kRowsOfGpu : kRowsOfProcessor;
  speed.bytes_ = on_gpu ? kCopiedOfGpu : kCopiedOfProcessor;
  if (!on_gpu) return speed;
  PLIM_ASSIGN(const GpuFacts gpu, gpu_facts(device.index));
  const int64_t most = gpu.memory.value() / kShare;
  while (speed.bytes_ > most) speed.bytes_ /= 2;
  while (speed.rows_ * speed.rows_ * int64_t{sizeof(float)} > most) speed.rows_ /= 2;
  return speed;
}

Result<Seconds> DeviceSpeed::best_of(const std::function<void()>& run) const {
  double best = std::numeric_limits<double>::infinity();
  const auto begin = Clock::now();
  for (int i = -kWarmUp; i < kLeastRuns || seconds_from(begin) < seconds_.value; ++i) {
    const auto start = Clock::now();
    run();
    if (!call_failure().empty()) return call_error("probe", take_call_failure());
    if (i >= 0) best = std::min(best, seconds_from(start));
  }
  return Seconds{best};
}

std::optional<FlopsPerSecond> DeviceSpeed::product(ComputeFormat::Numbers format) const {
  opened_torch().use_format({.numbers = format});
  const TensorType type{stored_as(format), {rows_, rows_}};
  const TorchTensor a = filled(type), b = filled(type), out = cleared(type);
  const auto took = best_of([&] {
    if (!a.present() || !b.present() || !out.present()) return;
    check_call(opened_torch().api().with_numbers.add_product(out.handle(), out.handle(), a.handle(), b.handle(), 0, 1),
               "addmm");
    wait_for(out);
  });
  opened_torch().use_format({});
  if (!took.ok() || took->value <= 0) return std::nullopt;
  return FlopsPerSecond{2 * double(rows_) * double(rows_) * double(rows_) / took->value};
}

Result<BytesPerSecond> DeviceSpeed::copy() const {
  const TensorType type{DType::f32, {bytes_ / 4}};
  const TorchTensor from = cleared(type), to = cleared(type);
  PLIM_ASSIGN(const Seconds took, best_of([&] {
                copy_into(to, from);
                wait_for(to);
              }));
  return BytesPerSecond{2 * double(bytes_) / took.value};
}

Result<BytesPerSecond> DeviceSpeed::to_device() const {
  const std::vector<std::byte> numbers(size_t(kHostCopy), std::byte{1});
  const TorchTensor there = cleared({DType::u8, {kHostCopy}});
  PLIM_ASSIGN(const Seconds took, best_of([&] { copy_to_device(there.data(), numbers); }));
  return BytesPerSecond{double(kHostCopy) / took.value};
}

Result<BytesPerSecond> DeviceSpeed::to_host() const {
  std::vector<std::byte> numbers(size_t(kHostCopy), std::byte{1});
  const TorchTensor there = cleared({DType::u8, {kHostCopy}});
  PLIM_ASSIGN(const Seconds took, best_of([&] { copy_to_host(numbers, there.data()); }));
  return BytesPerSecond{double(kHostCopy) / took.value};
}

Result<Seconds> DeviceSpeed::call() const {
  const TorchTensor number = cleared({DType::f32, {1}});
  PLIM_ASSIGN(const Seconds took, best_of([&] {
                for (int i = 0; i < kCalls && number.present(); ++i)
                  check_call(opened_torch().api().with_numbers.fill(number.handle(), 1), "fill_");
                wait_for(number);
              }));
  return Seconds{took.value / kCalls};
}

std::optional<Bytes> DeviceSpeed::context() const {
  const auto memory = gpu_memory_in_use();
  if (!memory) return std::nullopt;
  return memory->in_use - Bytes(torch_allocations().bytes_there);
}

}  // namespace plimsoll
