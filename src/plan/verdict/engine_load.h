// EngineLoad: the memory of a step of our own engine: the packed arena of its plan.
#pragma once

#include "plan/verdict/step_load.h"

namespace plimsoll {

class EngineLoad : public StepLoad {
 public:
  // `lowering`: nullptr: plain layouts. `free`, `live`: peaks by batch, packed and before; kept by the network.
  EngineLoad(const BatchFamily& family, const Lowering* lowering, std::shared_ptr<Network::Peaks> free,
             std::shared_ptr<Network::Peaks> live)
      : StepLoad(family, plain_size_rules()), lowering_(lowering), free_(std::move(free)), live_(std::move(live)) {}

  Room room(const Device*, Bytes line) const override { return {line, Bytes(0)}; }
  Result<int64_t> largest_under(const Room& room) override;
  Result<Bytes> expected_at(int64_t batch, const Room& room) override;
  Result<Bytes> free_at(int64_t batch) override;
  Result<bool> carries(int64_t batch, const Room& room) override;
  Result<BatchLoad> at(int64_t batch, const Room& room) override;
  Result<std::optional<TensorInMemory>> first_over(int64_t batch, const Room& room) override;

  // What is alive is too much, whatever its layouts and kernels are. Not for one sample, whose concats may take no
  // memory.
  Result<bool> is_past_without_packing(int64_t batch, const Room& room) override;
  Result<Bytes> fresh_at(int64_t) override { return Bytes(0); }
  std::vector<std::string> notes(bool) const override;
  void let_go() override;

 private:
  // The plan for a batch, and the step that it is of. Valid until another batch is asked for.
  struct Planned {
    int64_t batch = 0;
    const Program* step = nullptr;
    MemoryPlan plan;
  };
  Result<const Planned*> planned(int64_t batch);
  Result<const Planned*> planned_for(int64_t batch, const Room& room);
  Result<const Planned*> planned_plainly(int64_t batch);
  Result<bool> is_not_worth_trying(int64_t batch, const Room& room);
  Result<Bytes> live_at(int64_t batch);
  Result<int64_t> largest_plain(const Room& room);
  Result<int64_t> largest_tried(const Room& room, int64_t most);

  const Lowering* lowering_;
  std::unique_ptr<Lowered> lowered_;  // the last
  std::optional<Planned> planned_;    // the last
  bool untried_ = false;              // the load that at() told last is of kernels that were not tried
  std::shared_ptr<Network::Peaks> free_, live_;
};

}  // namespace plimsoll
