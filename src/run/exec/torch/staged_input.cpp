#include "run/exec/torch/staged_input.h"

#include <cstring>

#include "run/exec/torch/device_copy.h"

namespace plimsoll {

StagedInput::StagedInput(std::byte* place, size_t bytes) : place_(place), bytes_(bytes), gpu_(GpuRuntime::find()) {
  if (!gpu_) return;
  stream_ = gpu_->new_stream();
  copied_ = gpu_->new_event();
  taken_ = gpu_->new_event();
  gpu_->record(taken_, nullptr);  // what has cleared the place is done before the first batch comes
  pinned_ = gpu_->take_pinned(bytes_);
}

StagedInput::~StagedInput() {
  if (!gpu_) return;
  if (used_) gpu_->wait_on_host(copied_);
  if (pinned_) gpu_->release_pinned(pinned_);
  gpu_->end_event(copied_);
  gpu_->end_event(taken_);
  gpu_->end(stream_);
}

void StagedInput::bring(std::span<const std::byte> numbers) {
  if (numbers.size() != bytes_ || (gpu_ && !pinned_)) return;
  if (!gpu_) {
    copy_to_device(place_, numbers);
  } else {
    if (used_) gpu_->wait_on_host(copied_);  // the pinned memory is free again, long since
    gpu_->wait(stream_, taken_);             // and so is the place
    std::memcpy(pinned_, numbers.data(), bytes_);
    gpu_->copy_in(place_, pinned_, bytes_, stream_);
    gpu_->record(copied_, stream_);
    used_ = true;
  }
  there_ = true;
}

void StagedInput::take(std::byte* to) {
  there_ = false;
  if (!gpu_) return copy_on_device(to, place_, bytes_);
  gpu_->wait(nullptr, copied_);
  gpu_->copy_there(to, place_, bytes_, nullptr);
  gpu_->record(taken_, nullptr);
}

}  // namespace plimsoll
