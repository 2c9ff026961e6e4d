#include "run/exec/torch/torch_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/passes/share_storage.h"
#include "run/exec/process_memory.h"
#include "run/exec/reference_step.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_kernels.h"
#include "run/exec/torch/trial.h"

namespace plimsoll {
namespace {

// Where kernels were not tried: what was measured on torch:cpu beside the plans of small networks, with libtorch 2.15.
constexpr Bytes kUntriedLibrary{334 << 20};

// What this process grew by when libtorch was opened; once.
Bytes opened_growth(Bytes before) {
  static const Bytes grown = std::max(Bytes(0), resident_in_process() - before);
  return grown;
}

bool has_dtypes(const Program& program, const Operation& operation) {
  for (const auto* ids : {&operation.inputs, &operation.outputs})
    for (const ValueId id : *ids)
      if (id.present() && !has_dtype(program.value(id).type->dtype) && !program.value(id).constant) return false;
  return true;
}

struct Chosen {
  TorchKernel kernel;
  std::string_view why_not;
};

Chosen choose(Program& program, const Operation& operation, const ComputeFormat& format) {
  const MakeTorchKernel make = torch_kernel_of(*operation.op);
  if (!make) return {{}, "no kernel is written for it"};
  if (operation.then) return {{}, "fused with what follows it"};
  TorchSite site(program, operation, format);
  TorchKernel kernel = make(site);
  if (kernel && !has_dtypes(program, operation)) return {{}, "a type that torch does not have"};
  return {std::move(kernel), site.why_not};
}

Status lower(TorchLowered& lowered, size_t index) {
  Program& program = lowered.program;
  const Operation& operation = program.operations[index];
  PLIM_TRY(check_has_reference(program, operation));
  lowered.kernels.emplace_back();
  if (operation.op->storage == Storage::view) return {};
  Chosen chosen = choose(program, operation, lowered.options.format);
  if (chosen.kernel) {
    lowered.kernels.back() = std::move(chosen.kernel);
    return {};
  }
  PLIM_TRY(check_reference_runs(program, operation));
  add_once(lowered.by_reference, operation.op_name);
  lowered.declined.push_back({index, torch_kernel_of(*operation.op) ? "torch" : "", chosen.why_not, kByReference});
  return {};
}

class TorchLowering : public Lowering {
 public:
  TorchLowering(const EngineOptions& options, std::optional<Seconds> most) : options_(options), most_(most) {}

  Result<std::unique_ptr<Lowered>> lower(Program step) const override {
    PLIM_ASSIGN(auto lowered, lower_for_torch(std::move(step), options_, {}, most_));
    return std::unique_ptr<Lowered>(std::move(lowered));
  }

  bool takes_fused() const override { return false; }
  bool tries_kernels() const override { return true; }
  std::string name() const override {
    return fmt::format("{} {} {}", options_.device.name(), options_.threads, options_.format.name());
  }

 private:
  EngineOptions options_;
  std::optional<Seconds> most_;
};

}  // namespace

Result<std::unique_ptr<TorchLowered>> lower_for_torch(Program step, const EngineOptions& options,
                                                      std::span<std::byte> scratch, std::optional<Seconds> most) {
  EngineOptions with_device = options;
  if (!options.device.by_torch()) with_device.device.kind = RunDevice::Kind::torch_cpu;
  const Bytes before = resident_in_process();
  PLIM_ASSIGN(const TorchLibrary* torch, TorchLibrary::open(with_device.device));
  const Bytes library = opened_growth(before);
  torch->use_format(with_device.format);
  auto lowered = std::make_unique<TorchLowered>(std::move(step), with_device);
  for (size_t i = 0; i < lowered->program.operations.size(); ++i) PLIM_TRY(lower(*lowered, i));
  share_storage(lowered->program, Overwriting::wherever_possible);
  lowered->records.resize(lowered->kernels.size());
  if (own_allocator_in_use()) {
    PLIM_ASSIGN(Tried tried, record_allocations(*lowered, scratch, most));
    lowered->records = std::move(tried.records);
    const bool on_gpu = with_device.device.kind == RunDevice::Kind::cuda;
    lowered->fixed = on_gpu ? tried.kept : process_memory(lowered->program) + library + tried.kept;
  }
  return lowered;
}

Bytes TorchLowered::Rules::storage(const Program& program, ValueId value) const {
  return program.value(value).type->bytes();
}

Bytes TorchLowered::Rules::workspace(const Program& /*program*/, size_t operation) const {
  return lowered_.records[operation].workspace;
}

Bytes TorchLowered::Rules::fixed(const Program& program) const {
  return lowered_.fixed.value_or(process_memory(program) + kUntriedLibrary) + lowered_.staging();
}

Bytes TorchLowered::staging() const {
  if (!program.loss.present() || program.inputs.empty()) return {};
  const auto& type = program.value(program.inputs.front()).type;
  return type ? type->bytes() : Bytes(0);
}

std::unique_ptr<Lowering> torch_lowering(const EngineOptions& options, std::optional<Seconds> most) {
  return std::make_unique<TorchLowering>(options, most);
}

}  // namespace plimsoll
