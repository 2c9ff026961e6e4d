#include "run/exec/onednn/onednn_lowering.h"

#include <fmt/format.h>

#include <map>

#include "model/passes/share_storage.h"
#include "run/exec/onednn/join_in_place.h"
#include "run/exec/onednn/kernels/conv_descriptors.h"
#include "run/exec/onednn/onednn_kernels.h"
#include "run/exec/onednn/onednn_threads.h"
#include "run/exec/onednn/reorder.h"
#include "run/exec/onednn/site.h"
#include "run/exec/process_memory.h"
#include "run/exec/reference_step.h"
#include "run/exec/stored_values.h"

namespace plimsoll {
namespace {

class Lowerer {
 public:
  explicit Lowerer(OnednnLowered& lowered) : lowered_(lowered), program_(lowered.program) {}

  // Stored values keep the layouts that they have elsewhere.
  void keep_layouts_of(const OnednnLowered& host) {
    const StoredValues stored(host.program);
    lowered_.layouts.resize(program_.values.size());
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (const ValueId there = stored.find(program_.values[i]); there.present())
        lowered_.layouts[i] = host.layouts[size_t(there.index)];
  }

  Status run() {
    std::vector<Operation> operations = std::move(program_.operations);
    program_.operations.clear();
    program_.operations.reserve(operations.size() + operations.size() / 8);
    lowered_.layouts.reserve(program_.values.size() + operations.size() / 8);  // with those of reorders
    lowered_.layouts.resize(program_.values.size());
    for (const ValueId id : program_.inputs) layout(id) = row_major(*program_.value(id).type);
    find_gradients(operations);
    for (auto& operation : operations) PLIM_TRY(lower(std::move(operation)));
    share_storage(program_, Overwriting::wherever_possible);
    join_in_place(lowered_);
    return {};
  }

 private:
  std::optional<Layout>& layout(ValueId id) { return lowered_.layouts[size_t(id.index)]; }

  // A gradient is best written in the layout of its parameter, which the update reads beside it.
  void find_gradients(const std::vector<Operation>& operations) {
    for (const auto& operation : operations)
      if (operation.phase == Phase::update && operation.inputs.size() > 1)
        parameter_of_[operation.inputs[1]] = operation.inputs[0];
  }

  Status lower(Operation operation) {
    PLIM_TRY(check_has_reference(program_, operation));
    if (operation.phase != phase_) reordered_.clear();
    phase_ = operation.phase;
    if (operation.op->storage == Storage::view) return lower_view(std::move(operation));
    std::vector<std::optional<Layout>> preferred;
    for (const ValueId id : operation.outputs) preferred.push_back(preferred_layout(id));
    Site site(program_, operation, lowered_.options, convolutions_, lowered_.layouts, std::move(preferred));
    std::unique_ptr<Kernel> kernel = choose(site);
    if (!kernel) {
      PLIM_TRY(check_reference_runs(program_, operation));
      site.clear();
      site.all_row_major();
      add_once(lowered_.by_reference, operation.op_name);
      for (size_t i = 0; i < operation.inputs.size(); ++i)
        PLIM_CHECK(!site.has_input(i) || site.input(i).dtype == DType::f32 || !site.layout(i).described(),
                   "reference maths cannot read what oneDNN remembers");
    }
    const auto &needs = site.needs(), &gives = site.gives();
    for (size_t i = 0; i < needs.size(); ++i)
      if (needs[i]) operation.inputs[i] = arranged(operation.inputs[i], *needs[i]);
    for (size_t i = 0; i < gives.size(); ++i)
      if (operation.outputs[i].present())
        layout(operation.outputs[i]) = gives[i] ? *gives[i] : row_major(*program_.value(operation.outputs[i]).type);
    keep_refusals();
    if (site.is_view) see(operation);
    if (site.method) lowered_.methods.emplace(program_.operations.size(), *site.method);
    add(std::move(operation), std::move(kernel));
    return {};
  }

  static void see(Operation& operation) {
    operation.op = &other_view_op();
    operation.moved = Bytes(0);
  }

  std::optional<Layout> preferred_layout(ValueId id) {
    const auto found = parameter_of_.find(id);
    return found == parameter_of_.end() ? std::nullopt : layout(found->second);
  }

  std::unique_ptr<Kernel> choose(Site& site) {
    refusals_.clear();
    taken_by_ = kByReference;
    for (const Implementation& one : kernels_of(*site.operation.op)) {
      site.clear();
      if (auto kernel = one.make(site)) {
        taken_by_ = one.name;
        return kernel;
      }
      refusals_.push_back({one.name, site.why_not});
    }
    return nullptr;
  }

  // What was asked before the operation found its kernel, under the index that it gets now.
  void keep_refusals() {
    const size_t index = program_.operations.size();
    if (refusals_.empty() && taken_by_ == kByReference) refusals_.push_back({{}, "no kernel is written for it"});
    for (const auto& [implementation, reason] : refusals_)
      lowered_.declined.push_back({index, implementation, reason, taken_by_});
  }

  Status lower_view(Operation operation) {
    for (size_t i = 0; i < operation.inputs.size(); ++i)
      if (operation.inputs[i].present())
        operation.inputs[i] = arranged(operation.inputs[i], row_major(*program_.value(operation.inputs[i]).type));
    for (const ValueId id : operation.outputs)
      if (id.present()) layout(id) = row_major(*program_.value(id).type);
    add(std::move(operation), nullptr);
    return {};
  }

  void add(Operation operation, std::unique_ptr<Kernel> kernel) {
    program_.operations.push_back(std::move(operation));
    lowered_.kernels.push_back(std::move(kernel));
  }

  // The value in that layout: itself, or reordered just now or earlier in this phase. Not for longer: what is kept
  // takes memory.
  ValueId arranged(ValueId id, const Layout& wanted) {
    auto& now = layout(id);
    if (!now) now = wanted;
    if (*now == wanted || (is_row_major(*now) && is_row_major(wanted))) return id;
    auto& known = reordered_[id];
    for (const auto& [other, there] : known)
      if (there == wanted) return other;
    const Layout from = *now;
    ProgramValue value = program_.value(id);
    value.role = Role::activation;
    value.storage = {};
    value.constant = nullptr;
    Operation operation;
    operation.op = &reorder_op();
    operation.op_name = "reorder";
    operation.name = value.name + ".reorder";
    operation.inputs = {id};
    operation.phase = phase_;
    operation.moved = bytes_of(from, *value.type) + bytes_of(wanted, *value.type);
    const ValueId result = program_.add(std::move(value));
    operation.outputs = {result};
    lowered_.layouts.push_back(wanted);
    known.emplace_back(result, wanted);
    add(std::move(operation), reorder_kernel(from, wanted));
    ++lowered_.reorders;
    return result;
  }

  struct Refusal {
    std::string_view implementation, reason;
  };
  std::vector<Refusal> refusals_;  // of the operation that is being lowered
  std::string_view taken_by_;

  OnednnLowered& lowered_;
  Program& program_;
  Phase phase_ = Phase::forward;
  ConvDescriptors convolutions_;
  std::map<ValueId, ValueId> parameter_of_;
  std::map<ValueId, std::vector<std::pair<ValueId, Layout>>> reordered_;
};

class OnednnLowering : public Lowering {
 public:
  explicit OnednnLowering(const EngineOptions& options) : options_(options) {}

  Result<std::unique_ptr<Lowered>> lower(Program step) const override {
    PLIM_ASSIGN(auto lowered, lower_for_onednn(std::move(step), options_));
    return std::unique_ptr<Lowered>(std::move(lowered));
  }

  std::string name() const override {
    std::string name = fmt::format("onednn {} {}", options_.threads, to_string(options_.conv));
    if (!options_.rates) return name;
    for (const auto& row : options_.rates->rows())
      name += fmt::format(" {} {} {} {} {} {}", int(row.direction), int(row.method), row.kernel, row.channels,
                          row.places, row.rate.per_second);
    return name;
  }

 private:
  EngineOptions options_;
};

}  // namespace

Result<std::unique_ptr<OnednnLowered>> lower_for_onednn(Program step, const EngineOptions& options) {
  use_onednn_threads(options.threads);  // kernels and their scratchpads depend on it
  auto lowered = std::make_unique<OnednnLowered>(std::move(step), options);
  PLIM_TRY(Lowerer(*lowered).run());
  return lowered;
}

Bytes OnednnLowered::Rules::storage(const Program& program, ValueId value) const {
  const TensorType& type = *program.value(value).type;
  const auto& layout = lowered_.layouts.at(size_t(value.index));
  return layout ? bytes_of(*layout, type) : type.bytes();
}

Bytes OnednnLowered::Rules::workspace(const Program& /*program*/, size_t operation) const {
  const auto& kernel = lowered_.kernels.at(operation);
  return kernel ? kernel->workspace() : Bytes(0);
}

Bytes OnednnLowered::Rules::fixed(const Program& program) const {
  Bytes of_libraries(0);
  for (const auto& kernel : lowered_.kernels)
    if (kernel) of_libraries = std::max(of_libraries, kernel->library_memory());
  return process_memory(program) + of_libraries;
}

Result<std::unique_ptr<OnednnLowered>> lower_beside(Program step, const OnednnLowered& host) {
  use_onednn_threads(host.options.threads);
  auto lowered = std::make_unique<OnednnLowered>(std::move(step), host.options);
  Lowerer lowerer(*lowered);
  lowerer.keep_layouts_of(host);
  PLIM_TRY(lowerer.run());
  return lowered;
}

std::unique_ptr<Lowering> onednn_lowering(const EngineOptions& options) {
  return std::make_unique<OnednnLowering>(options);
}

}  // namespace plimsoll
