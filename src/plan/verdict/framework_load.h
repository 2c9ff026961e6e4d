// FrameworkLoad: the memory of a network's step under one framework, over the batch. Where recomputation is allowed it
// is several steps, with none of it, a little, … as much as is allowed, and every question is answered by the one that
// takes the least memory. More of it may take more memory: what is computed again is there all at once. So a larger
// allowance never carries less.
#pragma once

#include <memory>

#include "plan/verdict/step_load.h"

namespace plimsoll {

class FrameworkLoad {
 public:
  // The question's network, format, step, framework and device. Borrows the network. Serves every device of the same
  // generation: what is the device's own is in the Room.
  static Result<FrameworkLoad> make(const FitQuestion& question);

  Room room(const Device* device, Bytes line) const { return plain().room(device, line); }

  Result<int64_t> largest_under(const Room& room);
  Result<bool> fits_easily(int64_t batch, const Room& room);  // with all the scratch memory that libraries like to have
  Result<Bytes> expected_at(int64_t batch, const Room& room);
  Result<bool> carries(int64_t batch, const Room& room);  // expected under the line
  Result<bool> is_past_without_packing(int64_t batch, const Room& room);
  Result<BatchLoad> at(int64_t batch, const Room& room);
  Result<Program> program_at(int64_t batch);
  size_t reads() const { return plain().family().reads(); }  // of values by the operations of a step

  // The same without a copy; good until the next question.
  Result<const Program*> costed_at(int64_t batch);

  // Of PyTorch on a CPU: what the system hands out anew in every step; 0 of others.
  Result<Bytes> fresh_at(int64_t batch);

  // The tensor whose allocation crosses the line.
  Result<std::optional<TensorInMemory>> first_over(int64_t batch, const Room& room);

  // Of a network that was exported for one batch: that batch, and why no other can be asked for.
  std::optional<int64_t> only_batch() const { return plain().family().only_batch(); }
  const Error& why_no_other() const { return plain().family().why_no_other(); }

  // The least share of the forward pass that has to run again for this batch to fit; nothing where none is enough.
  Result<std::optional<double>> least_recomputation(int64_t batch, const Room& room);

  // As if no more had been allowed from the beginning; of a question that allows some.
  void recompute_at_most(double share);

  // How good the profile has been, where that says something about this step. After at().
  std::vector<std::string> notes() const { return plain().notes(steps_.size() > 1); }

  // Gives back the memory of the step that was asked for last: of a very large one, hundreds of megabytes.
  void let_go();

 private:
  const StepLoad& plain() const { return *steps_.front(); }
  Result<StepLoad*> leanest(int64_t batch, std::optional<Room> room);

  std::vector<std::unique_ptr<StepLoad>> steps_;  // by what they recompute, the plain one first
};

}  // namespace plimsoll
