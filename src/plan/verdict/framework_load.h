// FrameworkLoad: the memory of a network's step under one framework, over the batch. Our own engine's is the packed
// arena of its plan; another framework's is what its profile expects of the largest sum of live bytes.
#pragma once

#include <memory>

#include "plan/verdict/fit.h"
#include "plan/verdict/load_curve.h"

namespace plimsoll {

// The memory there is: bytes under the line, and what of it the framework takes before the first tensor.
struct Room {
  Bytes line;
  Bytes fixed;
};

class FrameworkLoad {
 public:
  // The question's network, format, step, framework and device. Borrows the network. Serves every device of the same
  // generation: what is the device's own is in the Room.
  static Result<FrameworkLoad> make(const FitQuestion& question);

  Room room(const Device* device, Bytes line) const;

  Result<int64_t> largest_under(const Room& room);
  Result<bool> fits_easily(int64_t batch, const Room& room);  // with all the scratch memory that libraries like to have
  Result<Bytes> expected_at(int64_t batch, const Room& room);
  Result<bool> carries(int64_t batch, const Room& room);  // expected under the line
  // Of our own engine: what is alive is too much, whatever its layouts and kernels are. Known at once, without asking
  // for any of them. Not for one sample, whose concats may take no memory.
  Result<bool> is_past_without_packing(int64_t batch, const Room& room);
  Result<BatchLoad> at(int64_t batch, const Room& room);
  Result<Program> program_at(int64_t batch);
  size_t reads() const { return family_->reads(); }  // of values by the operations of a step

  // The same without a copy; good until the next question.
  Result<const Program*> costed_at(int64_t batch);

  // Of PyTorch on a CPU: what the system hands out anew in every step (plan/memory/fresh_pages.h); 0 of others.
  Result<Bytes> fresh_at(int64_t batch);

  // The tensor whose allocation crosses the line.
  Result<std::optional<TensorInMemory>> first_over(int64_t batch, const Room& room);

  // Of a network that was exported for one batch: that batch, and why no other can be asked for.
  std::optional<int64_t> only_batch() const { return family_->only_batch(); }
  const Error& why_no_other() const { return family_->why_no_other(); }

  // The least share of the forward pass that has to run again for this batch to fit; nothing where none is enough.
  Result<std::optional<double>> least_recomputation(int64_t batch, const Room& room);

  // As if no more had been allowed from the beginning; of a question that allows some.
  void recompute_at_most(double share);

  // How good the profile has been, where that says something about this step. After at().
  std::vector<std::string> notes() const;

  // Gives back the memory of the step that was asked for last: of a very large one, hundreds of megabytes.
  void let_go();

 private:
  FrameworkLoad(const BatchFamily* family, std::shared_ptr<const FrameworkProfile> profile, LoadCurve curve,
                const Lowering* lowering, std::shared_ptr<Network::Peaks> free, std::shared_ptr<Network::Peaks> live,
                bool in_f32)
      : family_(family),
        profile_(std::move(profile)),
        curve_(std::move(curve)),
        lowering_(lowering),
        free_(std::move(free)),
        live_(std::move(live)),
        in_f32_(in_f32) {}

  // Our own engine's plan for a batch, and the step that it is of. Valid until another batch is asked for.
  struct OwnPlan {
    int64_t batch = 0;
    const Program* step = nullptr;
    MemoryPlan plan;
  };
  static Result<FrameworkLoad> make_with(const FitQuestion& question, double recompute);
  Result<FrameworkLoad*> leanest(int64_t batch, std::optional<Room> room);

  Result<const OwnPlan*> own_plan(int64_t batch);

  // PyTorch gives its cache up before it fails.
  bool on_gpu_with_cache() const { return profile_ && profile_->allocator() == AllocatorKind::segments; }
  FrameworkPeak replay(const Room& room, std::vector<MemoryInUse>* timeline = nullptr) const;
  Result<Bytes> free_at(int64_t batch);
  Result<int64_t> most_to_ask(Bytes limit, const LoadAt& load) const;
  Result<int64_t> largest_with_profile(const Room& room);
  Result<NeededBounds> bounds_at(int64_t batch);
  Result<int64_t> largest_plain(const Room& room);
  Result<Bytes> live_at(int64_t batch);

  // Not empty where recomputation is allowed: the same step with none of it, a little, … as much as is allowed, and
  // every question is answered by the one that takes the least memory. More of it may take more memory: what is
  // computed again is there all at once. So a larger allowance never carries less.
  std::vector<FrameworkLoad> by_recomputation_;

  const BatchFamily* family_;
  std::shared_ptr<const FrameworkProfile> profile_;  // nullptr: our own engine
  LoadCurve curve_;
  const Lowering* lowering_;                            // nullptr: plain layouts
  std::unique_ptr<Lowered> lowered_;                    // the last
  std::optional<OwnPlan> own_;                          // the last
  std::shared_ptr<Network::Peaks> free_;                // by batch, without the fixed part
  std::map<int64_t, Bytes> needed_;                     // of another framework: the least that it runs in, as free_
  std::map<std::pair<int64_t, int64_t>, Bytes> tight_;  // by batch and room, where scratch memory is left out
  std::shared_ptr<Network::Peaks> live_;                // of our own engine: what is alive, before it is packed
  bool in_f32_;
};

}  // namespace plimsoll
