#include "run/exec/torch/torch_executor.h"

#include <fmt/format.h>

#include "run/exec/torch/call_error.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/device_memory.h"
#include "run/exec/torch/nccl_sum.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_threads.h"

namespace plimsoll {
namespace {

// A call of libtorch that failed in the middle of a run. What a kernel cannot do it has declined before.
void check_no_failure(const std::string& where) {
  if (call_failure().empty()) return;
  const std::string why = take_call_failure();
  if (means_no_memory(why)) leave_without_memory();
  PLIM_CHECK(false, fmt::format("{} on {}: {}", where, opened_torch().device().name(), why));
}

// nullptr: torch:cpu works in the host's.
const DeviceMemory* memory_of_gpu(const TorchLowered& lowered) {
  const RunDevice& device = lowered.options.device;
  return device.kind == RunDevice::Kind::cuda ? &device_memory(device) : nullptr;
}

constexpr size_t kNumberLine = 256;
constexpr Bytes kNumbers{4 *
                         kNumberLine};  // a flag and a factor, and two squares (nccl_sum.h), each on a line of its own

// What is taken on a GPU beside the plan: those numbers, and a place where the next batch arrives.
Bytes beside_plan(const TorchLowered& lowered) { return kNumbers + lowered.staging(); }

}  // namespace

Result<std::unique_ptr<Executor>> TorchExecutor::make(std::unique_ptr<TorchLowered> lowered, MemoryPlan plan) {
  auto kept = std::make_unique<MemoryPlan>(std::move(plan));
  const DeviceMemory* device = memory_of_gpu(*lowered);
  PLIM_ASSIGN(PlannedMemory memory,
              device ? PlannedMemory::take_on(*kept, *device, beside_plan(*lowered)) : PlannedMemory::take(*kept));
  auto guard = device ? nullptr : ArenaGuard::of(memory);  // a GPU's memory is out of the host's reach anyway
  return std::unique_ptr<Executor>(
      new TorchExecutor(std::move(lowered), std::move(kept), std::move(memory), std::move(guard)));
}

Result<std::unique_ptr<Executor>> TorchExecutor::make_beside(std::unique_ptr<TorchLowered> lowered, Executor& host) {
  auto plan = std::make_unique<MemoryPlan>(plan_memory(lowered->program, lowered->rules()));
  PLIM_ASSIGN(PlannedMemory memory, memory_beside(lowered->program, *plan, host, memory_of_gpu(*lowered)));
  auto guard = dynamic_cast<TorchExecutor&>(host).guard_;
  return std::unique_ptr<Executor>(
      new TorchExecutor(std::move(lowered), std::move(plan), std::move(memory), std::move(guard)));
}

TorchExecutor::TorchExecutor(std::unique_ptr<TorchLowered> lowered, std::unique_ptr<MemoryPlan> plan,
                             PlannedMemory memory, std::shared_ptr<ArenaGuard> guard)
    : PlannedExecutor(std::move(lowered), std::move(plan), std::move(memory)),
      guard_(std::move(guard)),
      threads_(static_cast<const TorchLowered&>(this->lowered()).options.threads) {
  use_torch_threads(threads_);
  const auto& ours = static_cast<const TorchLowered&>(this->lowered());
  for (size_t i = 0; i < program().operations.size(); ++i) prepare(i, ours.kernels[i], ours.records[i]);
  fill_constants();
  make_numbers();
  check_no_failure("preparing the step");
}

void TorchExecutor::make_numbers() {
  std::byte* numbers = memory().more();
  if (!numbers) {
    own_numbers_ = device_memory(static_cast<const TorchLowered&>(lowered()).options.device).take(kNumbers).value();
    numbers = own_numbers_.get();
  }
  numbers_ = numbers;
  const float one = 1;
  copy_to_device(numbers + kNumberLine, std::as_bytes(std::span(&one, 1)));
  not_finite_ = TorchTensor::on_device({DType::f32, {1}}, numbers);
  factor_ = TorchTensor::on_device({DType::f32, {1}}, numbers + kNumberLine);
}

// Of steps that train: of an inference each batch is waited for.
void TorchExecutor::make_staging() {
  const Bytes bytes = static_cast<const TorchLowered&>(lowered()).staging();
  if (bytes == Bytes(0)) return;
  std::byte* place = memory().more() ? memory().more() + kNumbers.value() : nullptr;
  if (!place) {
    auto own = device_memory(static_cast<const TorchLowered&>(lowered()).options.device).take(bytes);
    if (!own.ok()) return;  // batches are then copied when their step begins
    own_staging_ = *std::move(own);
    place = own_staging_.get();
  }
  staged_ = std::make_unique<StagedInput>(place, size_t(bytes.value()));
}

TorchTensor TorchExecutor::tensor(ValueId id) const {
  if (!id.present() || !program().value(id).type || !has_dtype(program().value(id).type->dtype)) return {};
  return TorchTensor::on_device(*program().value(id).type, memory().of(id));
}

void TorchExecutor::prepare(size_t index, TorchKernel kernel, const AllocationRecord& record) {
  const Operation& operation = program().operations[index];
  Step& step = steps_.emplace_back();
  if (operation.op->storage == Storage::view) {
    const ValueId from = operation.inputs.at(0), to = operation.outputs.at(0);
    if (memory().of(from) == memory().of(to)) return;
    const auto bytes = size_t(program().value(to).type->bytes().value());
    const TensorType type{DType::u8, {int64_t(bytes)}};
    step.kernel = [](const TorchOperands& p) { copy_into(p.out(0), p.in(0)); };
    step.operands.inputs.push_back(TorchTensor::on_device(type, memory().of(from)));
    step.operands.outputs.push_back(TorchTensor::on_device(type, memory().of(to)));
    return;
  }
  if (!kernel) {
    step.on_host = std::make_unique<HostStep>(program(), operation, memory());
    return;
  }
  step.kernel = std::move(kernel);
  for (const ValueId id : operation.inputs) step.operands.inputs.push_back(tensor(id));
  for (const ValueId id : operation.outputs) step.operands.outputs.push_back(tensor(id));
  for (const Allocation& one : record.allocations) {
    std::byte* place = one.output < 0 ? memory().workspace(index) + one.offset.value()
                                      : memory().of(operation.outputs[size_t(one.output)]);
    step.places.push_back({size_t(one.size.value()), place});
  }
}

void TorchExecutor::run_operation(size_t index) {
  Step& step = steps_[index];
  {
    const ArenaGuard::Opened opened(guard_.get());
    const SteeringScope scope(step.places);
    if (step.kernel) step.kernel(step.operands);
    else if (step.on_host) step.on_host->run();
  }
  if (!call_failure().empty()) check_no_failure(program().operations[index].name);
}

void TorchExecutor::wait() {
  if (const GpuRuntime* gpu = GpuRuntime::find()) gpu->finish(nullptr);
}

void TorchExecutor::compute() {
  use_torch_threads(threads_);
  PlannedExecutor::compute();
}

void TorchExecutor::update() {
  use_torch_threads(threads_);
  PlannedExecutor::update();
}

void TorchExecutor::write(ValueId id, std::span<const std::byte> bytes) {
  check_size(id, bytes.size());
  if (!memory().of(id)) return;
  const ArenaGuard::Opened opened(guard_.get());
  copy_to_device(memory().of(id), bytes);
  check_no_failure(program().value(id).name);
}

void TorchExecutor::read(ValueId id, std::span<std::byte> bytes) const {
  check_size(id, bytes.size());
  const ArenaGuard::Opened opened(guard_.get());
  copy_to_host(bytes, memory().of(id));
  check_no_failure(program().value(id).name);
}

void TorchExecutor::clear(ValueId id) {
  const ArenaGuard::Opened opened(guard_.get());
  if (memory().of(id)) clear_on_device(memory().of(id), size_t(program().value(id).type->bytes().value()));
  check_no_failure(program().value(id).name);
}

// One call for all: it sets a flag on the device where a number is not finite, and multiplies by 1.
bool TorchExecutor::all_finite(const std::vector<ValueId>& ids) const {
  std::vector<TorchTensor> tensors;
  detail::Tensors list;
  for (const ValueId id : ids)
    if (const auto& type = program().value(id).type; type && type->dtype == DType::f32 && memory().of(id))
      tensors.push_back(tensor(id));
  if (tensors.empty()) return true;
  for (const TorchTensor& one : tensors) list.list.push_back(&one);
  const ArenaGuard::Opened opened(guard_.get());
  float flag = 0;
  copy_to_device(not_finite_.data(), std::as_bytes(std::span(&flag, 1)));
  calls<0>("aten::_amp_foreach_non_finite_check_and_unscale_", "", list, not_finite_, factor_);
  copy_to_host(std::as_writable_bytes(std::span(&flag, 1)), not_finite_.data());
  check_no_failure("looking at gradients");
  return flag == 0;
}

std::optional<Bytes> TorchExecutor::device_memory_in_use() const {
  const auto gpu = gpu_memory_in_use();
  return gpu ? std::optional(gpu->in_use) : std::nullopt;
}

void TorchExecutor::stage(std::span<const std::byte> bytes) {
  if (!staged_) make_staging();
  if (staged_) staged_->bring(bytes);
  check_no_failure("bringing a batch");
}

bool TorchExecutor::write_staged() {
  if (!staged_ || !staged_->there()) return false;
  const ArenaGuard::Opened opened(guard_.get());
  staged_->take(memory().of(program().inputs.at(0)));
  check_no_failure("taking a batch");
  return true;
}

Result<std::unique_ptr<DeviceSum>> TorchExecutor::device_sum() {
  PLIM_ASSIGN(const Nccl* nccl, Nccl::open(static_cast<const TorchLowered&>(lowered()).options.device));
  return std::unique_ptr<DeviceSum>(std::make_unique<NcclSum>(*nccl, *this, numbers_ + 2 * kNumberLine));
}

void TorchExecutor::check_calls(const char* what) const { check_no_failure(what); }

bool TorchExecutor::finite(ValueId id) const { return all_finite({id}); }

bool TorchExecutor::finite() const {
  std::vector<ValueId> all = gradients();
  if (program().loss.present()) all.push_back(program().loss);
  return all_finite(all);
}

}  // namespace plimsoll
