// The lowering of our engine: a kernel for every operation, with the layouts that the kernels like carried from one to
// the next, reorders where two cannot agree, and the exact bytes of it all.
#pragma once

#include <map>

#include "plan/memory/lowering.h"
#include "run/exec/engine_options.h"
#include "run/exec/onednn/kernel.h"
#include "run/exec/onednn/layout.h"

namespace plimsoll {

class OnednnLowered : public Lowered {
 public:
  OnednnLowered(Program step, const EngineOptions& options)
      : Lowered(std::move(step)), options(options), rules_(*this) {}
  const SizeRules& rules() const override { return rules_; }

  const EngineOptions options;
  std::vector<std::optional<Layout>> layouts;    // of each value
  std::vector<std::unique_ptr<Kernel>> kernels;  // of each operation; nullptr: a view, or by reference maths
  std::map<ValueId, Bytes> offsets;              // of values that begin inside of the storage that they share

 private:
  class Rules : public SizeRules {
   public:
    explicit Rules(const OnednnLowered& lowered) : lowered_(lowered) {}
    // Of the lowered program's own values and operations.
    Bytes storage(const Program& program, ValueId value) const override;
    Bytes workspace(const Program& program, size_t operation) const override;
    Bytes fixed(const Program& program) const override;

   private:
    const OnednnLowered& lowered_;
  };
  Rules rules_;
};

std::unique_ptr<Lowering> onednn_lowering(const EngineOptions& options);
// What it makes of a step, for whoever works with the kernels themselves.
Result<std::unique_ptr<OnednnLowered>> lower_for_onednn(Program step, const EngineOptions& options);

// With the stored values in the layouts that they have in `host`.
Result<std::unique_ptr<OnednnLowered>> lower_beside(Program step, const OnednnLowered& host);

}  // namespace plimsoll
