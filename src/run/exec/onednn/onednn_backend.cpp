#include "run/exec/onednn/onednn_backend.h"

#include <cstring>

#include "run/exec/onednn/onednn_lowering.h"
#include "run/exec/onednn/onednn_threads.h"
#include "run/exec/onednn/reorder.h"
#include "run/exec/planned_executor.h"
#include "run/exec/reference_step.h"

namespace plimsoll {
namespace {

class OnednnExecutor : public PlannedExecutor {
 public:
  using PlannedExecutor::memory_beside;
  OnednnExecutor(std::unique_ptr<OnednnLowered> lowered, std::unique_ptr<MemoryPlan> plan, PlannedMemory memory)
      : PlannedExecutor(std::move(lowered), std::move(plan), std::move(memory)),
        engine_(static_cast<OnednnLowered&>(const_cast<Lowered&>(this->lowered()))) {
    use_onednn_threads(engine_.options.threads);
    for (size_t i = 0; i < program().operations.size(); ++i) prepare(i);
    fill_constants();
  }

  void write(ValueId id, std::span<const std::byte> bytes) override {
    check_size(id, bytes.size());
    if (bytes.empty() || !memory().of(id)) return;
    if (const Layout* layout = other_layout(id))
      reorder_now(row_major(*program().value(id).type), bytes.data(), *layout, memory().of(id));
    else std::memmove(memory().of(id), bytes.data(), bytes.size());
  }

  void read(ValueId id, std::span<std::byte> bytes) const override {
    check_size(id, bytes.size());
    if (bytes.empty()) return;
    if (const Layout* layout = other_layout(id))
      reorder_now(*layout, memory().of(id), row_major(*program().value(id).type), bytes.data());
    else std::memmove(bytes.data(), memory().of(id), bytes.size());
  }

  std::span<const std::byte> in_place(ValueId id) const override {
    if (other_layout(id) || !memory().of(id)) return {};
    return {memory().of(id), size_t(program().value(id).type->bytes().value())};
  }

  std::optional<double> trust_ratio(size_t operation) const override {
    const Kernel* kernel = engine_.kernels.at(operation).get();
    return kernel ? kernel->trust_ratio() : std::nullopt;
  }

  void compute() override {
    use_onednn_threads(engine_.options.threads);
    PlannedExecutor::compute();
  }

 protected:
  void run_operation(size_t index) override {
    if (Kernel* kernel = engine_.kernels[index].get()) kernel->run();
    else steps_[index]->run();
  }

 private:
  // nullptr: row-major.
  const Layout* other_layout(ValueId id) const {
    const auto& layout = engine_.layouts[size_t(id.index)];
    return layout && !is_row_major(*layout) ? &*layout : nullptr;
  }

  void prepare(size_t index) {
    const Operation& operation = program().operations[index];
    steps_.emplace_back();
    if (!engine_.kernels[index]) {
      steps_.back() = std::make_unique<ReferenceStep>(program(), operation, memory());
      return;
    }
    Places places;
    for (const ValueId id : operation.inputs) places.inputs.push_back(id.present() ? memory().of(id) : nullptr);
    for (const ValueId id : operation.outputs) places.outputs.push_back(id.present() ? memory().of(id) : nullptr);
    places.workspace = memory().workspace(index);
    engine_.kernels[index]->prepare(std::move(places));
  }

  OnednnLowered& engine_;  // what lowered() is
  std::vector<std::unique_ptr<ReferenceStep>> steps_;
};

class OnednnBackend : public Backend {
 public:
  std::string_view name() const override { return "onednn"; }
  std::unique_ptr<Lowering> lowering(const EngineOptions& options) const override { return onednn_lowering(options); }

  Result<std::unique_ptr<Executor>> compile(std::unique_ptr<Lowered> lowered, MemoryPlan plan) const override {
    auto kept = std::make_unique<MemoryPlan>(std::move(plan));
    PLIM_ASSIGN(PlannedMemory memory, PlannedMemory::take(*kept));
    std::unique_ptr<OnednnLowered> ours(static_cast<OnednnLowered*>(lowered.release()));
    memory.begin_inside(ours->offsets);
    return std::unique_ptr<Executor>(
        std::make_unique<OnednnExecutor>(std::move(ours), std::move(kept), std::move(memory)));
  }

  Result<std::unique_ptr<Executor>> compile_beside(Program step, Executor& host) const override {
    const auto& there = static_cast<const OnednnLowered&>(host.lowered());
    PLIM_ASSIGN(auto lowered, lower_beside(std::move(step), there));
    auto plan = std::make_unique<MemoryPlan>(plan_memory(lowered->program, lowered->rules()));
    PLIM_ASSIGN(PlannedMemory memory, OnednnExecutor::memory_beside(lowered->program, *plan, host));
    memory.begin_inside(lowered->offsets);
    return std::unique_ptr<Executor>(
        std::make_unique<OnednnExecutor>(std::move(lowered), std::move(plan), std::move(memory)));
  }
};

}  // namespace

const Backend& onednn_backend() {
  static const OnednnBackend backend;
  return backend;
}

}  // namespace plimsoll
