// The lowering for libtorch: a kernel of its own for every operation that it has one for, in plain layouts; the others
// run by the host's reference maths, and are named.
#pragma once

#include "plan/memory/lowering.h"
#include "run/exec/engine_options.h"
#include "run/exec/torch/steering.h"
#include "run/exec/torch/torch_library.h"
#include "run/exec/torch/torch_site.h"

namespace plimsoll {

class TorchLowered : public Lowered {
 public:
  TorchLowered(Program step, const EngineOptions& options) : Lowered(std::move(step)), options(options) {}
  const SizeRules& rules() const override { return rules_; }

  // What a training step takes beside the plan for the batch that comes next (staged_input.h).
  Bytes staging() const;

  const EngineOptions options;
  std::vector<TorchKernel> kernels;       // of each operation; empty: a view, or by reference maths
  std::vector<AllocationRecord> records;  // of each operation: what its kernel allocates
  std::optional<Bytes> fixed;             // that libraries hold for themselves, as measured once kernels were tried

 private:
  class Rules : public SizeRules {
   public:
    explicit Rules(const TorchLowered& lowered) : lowered_(lowered) {}
    Bytes storage(const Program& program, ValueId value) const override;
    Bytes workspace(const Program& program, size_t operation) const override;
    Bytes fixed(const Program& program) const override;
    int64_t line() const override { return kDeviceLine; }

   private:
    const TorchLowered& lowered_;
  };
  Rules rules_{*this};
};

// `most`: the time that trials of kernels may take (trial.h); absent: whatever they take, as before a run, whose steps
// take as long.
std::unique_ptr<Lowering> torch_lowering(const EngineOptions& options, std::optional<Seconds> most = {});
// `scratch`: memory of the device that is free meanwhile.
Result<std::unique_ptr<TorchLowered>> lower_for_torch(Program step, const EngineOptions& options,
                                                      std::span<std::byte> scratch = {},
                                                      std::optional<Seconds> most = {});

}  // namespace plimsoll
