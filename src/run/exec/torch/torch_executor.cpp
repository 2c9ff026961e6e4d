#include "run/exec/torch/torch_executor.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "base/rows/named.h"
#include "base/units.h"
#include "run/exec/torch/device_copy.h"

namespace plimsoll {
namespace {

// Ends as the host's own memory does when there is none left: whoever runs the step is waiting for that.
void leave_without_memory() {
  const volatile auto more_than_there_is = size_t(std::numeric_limits<ptrdiff_t>::max());
  ::operator delete(::operator new(more_than_there_is));
}

// A call of libtorch that failed in the middle of a run. What a kernel cannot do it has declined before.
void check_no_failure(const std::string& where) {
  if (call_failure().empty()) return;
  const std::string why = take_call_failure();
  if (why.find("out of memory") != std::string::npos) leave_without_memory();
  PLIM_CHECK(false, fmt::format("{} on {}: {}", where, opened_torch().device().name(), why));
}

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

const DeviceMemory* device_memory(const TorchLowered& lowered) {
  static const GpuMemory gpu;
  return lowered.options.device.kind == RunDevice::Kind::cuda ? &gpu : nullptr;  // torch:cpu works in the host's
}

}  // namespace

Result<std::unique_ptr<Executor>> TorchExecutor::make(std::unique_ptr<TorchLowered> lowered, MemoryPlan plan) {
  auto kept = std::make_unique<MemoryPlan>(std::move(plan));
  const DeviceMemory* device = device_memory(*lowered);
  PLIM_ASSIGN(PlannedMemory memory, device ? PlannedMemory::take_on(*kept, *device) : PlannedMemory::take(*kept));
  auto guard = ArenaGuard::of(memory);
  return std::unique_ptr<Executor>(
      new TorchExecutor(std::move(lowered), std::move(kept), std::move(memory), std::move(guard)));
}

Result<std::unique_ptr<Executor>> TorchExecutor::make_beside(std::unique_ptr<TorchLowered> lowered, Executor& host) {
  auto plan = std::make_unique<MemoryPlan>(plan_memory(lowered->program, lowered->rules()));
  PLIM_ASSIGN(PlannedMemory memory, memory_beside(lowered->program, *plan, host, device_memory(*lowered)));
  auto guard = dynamic_cast<TorchExecutor&>(host).guard_;
  return std::unique_ptr<Executor>(
      new TorchExecutor(std::move(lowered), std::move(plan), std::move(memory), std::move(guard)));
}

TorchExecutor::TorchExecutor(std::unique_ptr<TorchLowered> lowered, std::unique_ptr<MemoryPlan> plan,
                             PlannedMemory memory, std::shared_ptr<ArenaGuard> guard)
    : PlannedExecutor(std::move(lowered), std::move(plan), std::move(memory)),
      guard_(std::move(guard)),
      threads_(static_cast<const TorchLowered&>(this->lowered()).options.threads) {
  use_threads();
  const auto& kernels = static_cast<const TorchLowered&>(this->lowered()).kernels;
  for (size_t i = 0; i < program().operations.size(); ++i) prepare(i, kernels[i]);
  fill_constants();
  check_no_failure("preparing the step");
}

TorchTensor TorchExecutor::tensor(ValueId id) const {
  if (!id.present() || !program().value(id).type || !has_dtype(program().value(id).type->dtype)) return {};
  return TorchTensor::on_device(*program().value(id).type, memory().of(id));
}

void TorchExecutor::prepare(size_t index, TorchKernel kernel) {
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
}

void TorchExecutor::use_threads() const {
  const TorchApi& api = opened_torch().api();
  api.set_grad_mode(false);  // of this thread
  if (api.set_threads) api.set_threads(threads_);
}

void TorchExecutor::run_operation(size_t index) {
  Step& step = steps_[index];
  {
    const ArenaGuard::Opened opened(guard_.get());
    if (step.kernel) step.kernel(step.operands);
    else if (step.on_host) step.on_host->run();
  }
  if (!call_failure().empty()) check_no_failure(program().operations[index].name);
}

void TorchExecutor::compute() {
  use_threads();
  PlannedExecutor::compute();
}

void TorchExecutor::update() {
  use_threads();
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
  float flag = 0, one = 1;
  const TensorType number{DType::f32, {1}};
  const TorchTensor found = TorchTensor::allocated(number), factor = TorchTensor::allocated(number);
  copy_to_device(found.data(), std::as_bytes(std::span(&flag, 1)));
  copy_to_device(factor.data(), std::as_bytes(std::span(&one, 1)));
  calls<0>("aten::_amp_foreach_non_finite_check_and_unscale_", "", list, found, factor);
  copy_to_host(std::as_writable_bytes(std::span(&flag, 1)), found.data());
  check_no_failure("looking at gradients");
  return flag == 0;
}

bool TorchExecutor::finite(ValueId id) const { return all_finite({id}); }

bool TorchExecutor::finite() const {
  std::vector<ValueId> all = gradients();
  if (program().loss.present()) all.push_back(program().loss);
  return all_finite(all);
}

}  // namespace plimsoll
