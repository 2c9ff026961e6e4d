#include "run/exec/torch/nccl_sum.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "run/exec/torch/call.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/device_memory.h"
#include "run/exec/torch/steering.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kSquareLine = 256;  // bytes

int64_t numbers_of_value(const TorchExecutor& executor, ValueId id) {
  return executor.program().value(id).type->elements().value();
}

// The product of a row with itself as a column, added to what is there.
void add_product_with_itself(const TorchExecutor& executor, ValueId id, const TorchTensor& to) {
  const int64_t count = numbers_of_value(executor, id);
  std::byte* data = executor.place_of(id);
  const TorchTensor row = TorchTensor::on_device({DType::f32, {1, count}}, data);
  const TorchTensor column = TorchTensor::on_device({DType::f32, {count, 1}}, data);
  check_call(
      opened_torch().api().with_numbers.add_product(to.handle(), to.handle(), row.handle(), column.handle(), 1, 1),
      "addmm");
}

double number_at(const TorchTensor& tensor) {
  float number = 0;
  copy_to_host(std::as_writable_bytes(std::span(&number, 1)), tensor.data());
  return double(number);
}

// Gives the first allocation a place.
class ScratchScope : public AllocationScope {
 public:
  ScratchScope(std::byte* place, size_t bytes) : place_(place), bytes_(bytes) {}
  std::byte* place_of(size_t bytes) override { return bytes <= bytes_ ? std::exchange(place_, nullptr) : nullptr; }
  void taken(const std::byte* /*data*/, size_t /*bytes*/) override {}
  void released(const std::byte* /*data*/) override {}
  void given(size_t /*i*/, const TorchTensor& /*result*/, const TorchTensor& /*output*/) override {}

 private:
  std::byte* place_;
  size_t bytes_;
};

}  // namespace

NcclSum::NcclSum(const Nccl& nccl, TorchExecutor& executor, std::byte* squares)
    : nccl_(nccl), executor_(executor), gpu_(GpuRuntime::find()) {
  if (gpu_) {
    stream_ = gpu_->new_stream();
    ready_ = gpu_->new_event();
  }
  own_square_ = TorchTensor::on_device({DType::f32, {1, 1}}, squares);
  mean_square_ = TorchTensor::on_device({DType::f32, {1, 1}}, squares + kSquareLine);
}

NcclSum::~NcclSum() {
  group_.reset();
  if (!gpu_) return;
  for (const Timed& one : events_) {
    gpu_->end_event(one.begun);
    gpu_->end_event(one.done);
  }
  gpu_->end_event(ready_);
  gpu_->end(stream_);
}

Status NcclSum::join(const Id& id, int rank, int workers) {
  PLIM_ASSIGN(group_, nccl_.join(id, rank, workers));
  const auto opened = executor_.open_memory();
  PLIM_TRY(take_scratch());
  clear_squares();
  return {};
}

// A product of matrices has a workspace, whatever its size. It is seen once, and taken for all steps.
Status NcclSum::take_scratch() {
  for (const ValueId id : executor_.gradients()) {
    RecordingScope scope;
    add_product_with_itself(executor_, id, own_square_);
    scratch_bytes_ = std::max(scratch_bytes_, size_t(scope.record().workspace.value()));
  }
  if (scratch_bytes_ == 0) return {};
  PLIM_ASSIGN(scratch_, device_memory(opened_torch().device()).take(Bytes(int64_t(scratch_bytes_))));
  return {};
}

void NcclSum::clear_squares() {
  for (const TorchTensor* square : {&own_square_, &mean_square_}) clear_on_device(square->data(), sizeof(float));
}

void NcclSum::add_squares(std::span<const ValueId> values, const TorchTensor& to) {
  for (const ValueId id : values) {
    const ScratchScope scope(scratch_.get(), scratch_bytes_);
    add_product_with_itself(executor_, id, to);
  }
}

NcclSum::Timed& NcclSum::next_events() {
  if (used_ == events_.size()) events_.push_back({gpu_->new_event(), gpu_->new_event()});
  return events_[used_++];
}

void NcclSum::begin(std::span<const ValueId> values, bool gradients) {
  const auto opened = executor_.open_memory();
  std::vector<Nccl::Numbers> numbers;
  for (const ValueId id : values) numbers.push_back({executor_.place_of(id), size_t(numbers_of_value(executor_, id))});
  if (gradients) {
    add_squares(values, own_square_);
    gradients_.insert(gradients_.end(), values.begin(), values.end());
  }
  if (!gpu_) {
    const auto start = Clock::now();
    group_->mean(numbers, nullptr);
    busy_ += std::chrono::duration<double>(Clock::now() - start).count();
    return;
  }
  gpu_->record(ready_, nullptr);
  gpu_->wait(stream_, ready_);
  const Timed& timed = next_events();
  gpu_->record(timed.begun, stream_);
  group_->mean(numbers, stream_);
  gpu_->record(timed.done, stream_);
}

DeviceMeans NcclSum::finish() {
  const auto opened = executor_.open_memory();
  if (gpu_ && used_ > 0) gpu_->wait(nullptr, events_[used_ - 1].done);
  add_squares(gradients_, mean_square_);
  DeviceMeans means{{busy_}, number_at(own_square_), number_at(mean_square_)};
  executor_.check_calls("the mean of gradients");
  for (size_t i = 0; i < used_; ++i) means.busy.value += gpu_->milliseconds(events_[i].begun, events_[i].done) / 1e3;
  clear_squares();
  gradients_.clear();
  used_ = 0;
  busy_ = 0;
  return means;
}

}  // namespace plimsoll
