#include "run/exec/torch/torch_backend.h"

#include "run/exec/torch/torch_executor.h"

namespace plimsoll {
namespace {

class TorchBackend : public Backend {
 public:
  std::string_view name() const override { return "torch"; }
  bool takes_fused() const override { return false; }
  std::unique_ptr<Lowering> lowering(const EngineOptions& options) const override { return torch_lowering(options); }

  Result<std::unique_ptr<Executor>> compile(std::unique_ptr<Lowered> lowered, MemoryPlan plan) const override {
    std::unique_ptr<TorchLowered> ours(static_cast<TorchLowered*>(lowered.release()));
    return TorchExecutor::make(std::move(ours), std::move(plan));
  }

  Result<std::unique_ptr<Executor>> compile_beside(Program step, Executor& host) const override {
    const auto& there = static_cast<const TorchLowered&>(host.lowered());
    const auto free_memory = static_cast<TorchExecutor&>(host).free_memory();
    PLIM_ASSIGN(auto lowered, lower_for_torch(std::move(step), there.options, free_memory));
    return TorchExecutor::make_beside(std::move(lowered), host);
  }
};

}  // namespace

const Backend& torch_backend() {
  static const TorchBackend backend;
  return backend;
}

}  // namespace plimsoll
