// Backend: whatever executes Programs. A backend is a folder beside this file and a line in all_backends.cpp; it lowers
// a Program (lowering.h), and compiles the lowered Program with its memory plan into an Executor. Nothing else of the
// project knows of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plan/memory/lowering.h"
#include "run/exec/engine_options.h"
#include "run/exec/executor.h"

namespace plimsoll {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  // "onednn"

  // Whether it runs steps whose operations are fused (StepOptions::fuse); it runs the others in any case.
  virtual bool takes_fused() const { return true; }

  virtual std::unique_ptr<Lowering> lowering(const EngineOptions& options) const = 0;

  // `lowered` came from this backend's lowering, `plan` is that of its Program under its rules.
  virtual Result<std::unique_ptr<Executor>> compile(std::unique_ptr<Lowered> lowered, MemoryPlan plan) const = 0;

  // An Executor that works on the stored values of `host` (the same backend's, of the same network) and in the memory
  // that is free there between runs: evaluation between epochs takes no memory of its own. `host` lives longer; the two
  // never run at the same time.
  virtual Result<std::unique_ptr<Executor>> compile_beside(Program step, Executor& host) const = 0;
};

// Those of the processor, which are always there. The first is the one that is used unless another is asked for.
std::span<const Backend* const> all_backends();
Result<const Backend*> find_backend(std::string_view name);
// The one for that device, of which only the processor may be asked for another by name.
Result<const Backend*> backend_on(const RunDevice& device, const std::optional<std::string>& name);

// Lowers, plans and compiles: the whole way from a step to something that runs.
Result<std::unique_ptr<Executor>> make_executor(const Backend& backend, Program step, const EngineOptions& options);

}  // namespace plimsoll
