#include "run/exec/reference/reference_backend.h"

#include <cstring>

#include "base/text.h"
#include "run/exec/planned_executor.h"
#include "run/exec/reference_step.h"

namespace plimsoll {
namespace {

class ReferenceExecutor : public PlannedExecutor {
 public:
  using PlannedExecutor::memory_beside;
  ReferenceExecutor(std::unique_ptr<Lowered> lowered, std::unique_ptr<MemoryPlan> plan, PlannedMemory memory)
      : PlannedExecutor(std::move(lowered), std::move(plan), std::move(memory)) {
    for (const auto& operation : program().operations)
      steps_.push_back(ReferenceStep(program(), operation, this->memory()));
    fill_constants();
  }

  void write(ValueId id, std::span<const std::byte> bytes) override {
    check_size(id, bytes.size());
    if (memory().of(id) && !bytes.empty()) std::memmove(memory().of(id), bytes.data(), bytes.size());
  }

  void read(ValueId id, std::span<std::byte> bytes) const override {
    check_size(id, bytes.size());
    if (!bytes.empty()) std::memmove(bytes.data(), memory().of(id), bytes.size());
  }

 protected:
  void run_operation(size_t index) override { steps_[index].run(); }

 private:
  std::vector<ReferenceStep> steps_;
};

class ReferenceBackend : public Backend {
 public:
  std::string_view name() const override { return "reference"; }

  std::unique_ptr<Lowering> lowering(const EngineOptions&) const override { return std::make_unique<PlainLowering>(); }

  Result<std::unique_ptr<Executor>> compile(std::unique_ptr<Lowered> lowered, MemoryPlan plan) const override {
    auto kept = std::make_unique<MemoryPlan>(std::move(plan));
    PLIM_ASSIGN(PlannedMemory memory, PlannedMemory::take(*kept));
    return std::unique_ptr<Executor>(
        std::make_unique<ReferenceExecutor>(std::move(lowered), std::move(kept), std::move(memory)));
  }

  Result<std::unique_ptr<Executor>> compile_beside(Program step, Executor& host) const override {
    PLIM_ASSIGN(auto lowered, PlainLowering().lower(std::move(step)));
    auto plan = std::make_unique<MemoryPlan>(plan_memory(lowered->program, lowered->rules()));
    PLIM_ASSIGN(PlannedMemory memory, ReferenceExecutor::memory_beside(lowered->program, *plan, host));
    return std::unique_ptr<Executor>(
        std::make_unique<ReferenceExecutor>(std::move(lowered), std::move(plan), std::move(memory)));
  }

 private:
  class PlainLowering : public Lowering {
   public:
    Result<std::unique_ptr<Lowered>> lower(Program step) const override {
      PLIM_ASSIGN(auto lowered, portable_lowering().lower(std::move(step)));
      for (const auto& operation : lowered->program.operations) {
        PLIM_TRY(check_has_reference(lowered->program, operation));
        PLIM_TRY(check_reference_runs(lowered->program, operation));
        add_once(lowered->by_reference, operation.op_name);
      }
      return lowered;
    }
    std::string name() const override { return "reference"; }
  };
};

}  // namespace

const Backend& reference_backend() {
  static const ReferenceBackend backend;
  return backend;
}

}  // namespace plimsoll
