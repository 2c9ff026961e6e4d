// ProfiledLoad: the memory of a step in another framework: what its profile expects of the tensors that are alive, by
// replaying them through its allocator.
#pragma once

#include "plan/verdict/step_load.h"

namespace plimsoll {

class ProfiledLoad : public StepLoad {
 public:
  ProfiledLoad(const BatchFamily& family, std::shared_ptr<const FrameworkProfile> profile, bool in_f32)
      : StepLoad(family, *profile), profile_(std::move(profile)), in_f32_(in_f32) {}

  Room room(const Device* device, Bytes line) const override;
  Result<int64_t> largest_under(const Room& room) override;
  Result<Bytes> expected_at(int64_t batch, const Room& room) override;
  Result<Bytes> free_at(int64_t batch) override;
  Result<bool> carries(int64_t batch, const Room& room) override;
  Result<BatchLoad> at(int64_t batch, const Room& room) override;
  Result<std::optional<TensorInMemory>> first_over(int64_t batch, const Room& room) override;
  Result<bool> is_past_without_packing(int64_t, const Room&) override { return false; }

  // Of PyTorch on a CPU: what the system hands out anew in every step (plan/memory/fresh_pages.h); 0 of others.
  Result<Bytes> fresh_at(int64_t batch) override;
  std::vector<std::string> notes(bool may_recompute) const override;
  void let_go() override;

 private:
  // PyTorch gives its cache up before it fails.
  bool on_gpu_with_cache() const { return profile_->allocator() == AllocatorKind::segments; }

  // Of one batch: a step of its form, and how long and how large its storages are there.
  struct Storages {
    const Program* step;
    const Lifetimes* lives;
  };
  Result<Storages> storages_at(int64_t batch);
  FrameworkPeak replay(const Room& room, std::vector<MemoryInUse>* timeline = nullptr) const;
  FrameworkPeak replay(Storages of, const Room& room, std::vector<MemoryInUse>* timeline = nullptr) const;
  Result<NeededBounds> bounds_at(int64_t batch);
  Result<int64_t> largest_needed(const Room& room);

  std::shared_ptr<const FrameworkProfile> profile_;
  bool in_f32_;
  std::optional<SizeCurve> sizes_;                      // once bounds were asked for
  std::map<int64_t, NeededBounds> bounds_;              // by batch
  std::map<int64_t, Bytes> free_, needed_;              // by batch, without the fixed part; the least that it runs in
  std::map<std::pair<int64_t, int64_t>, Bytes> tight_;  // by batch and room, where scratch memory is left out
};

}  // namespace plimsoll
