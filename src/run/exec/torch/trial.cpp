#include "run/exec/torch/trial.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/field_mark.h"
#include "run/exec/process_memory.h"
#include "run/exec/torch/call_error.h"
#include "run/exec/torch/device_copy.h"
#include "run/exec/torch/device_memory.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_threads.h"

namespace plimsoll {
namespace {

constexpr int kMostTries = 3;
constexpr size_t kTellingConstant = 64;  // bytes of a constant that is part of what tells operations apart

int64_t memory_of_machine() { return int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE); }

ValueId storage_root_of(const Program& program, ValueId id) {
  while (program.value(id).storage.present()) id = program.value(id).storage;
  return id;
}

// The memory of an operation's values, each storage once, one after another.
struct TrialLayout {
  std::map<int32_t, int64_t> offsets;  // by the value that owns the storage
  int64_t bytes = 0;
};

void for_each_operand(const Operation& operation, auto&& f) {
  for (const auto* ids : {&operation.inputs, &operation.outputs})
    for (const ValueId id : *ids) f(id);
}

TrialLayout trial_layout_of(const TorchLowered& lowered, const Operation& operation) {
  constexpr int64_t kApart = 512;
  std::map<int32_t, int64_t> sizes;
  for_each_operand(operation, [&](ValueId id) {
    if (!id.present() || !lowered.program.value(id).type) return;
    int64_t& size = sizes[storage_root_of(lowered.program, id).index];
    size = std::max(size, lowered.rules().storage(lowered.program, id).value());
  });
  TrialLayout layout;
  for (const auto& [root, size] : sizes) {
    layout.offsets[root] = layout.bytes;
    layout.bytes += rounded_up(Bytes(size), kApart).value() + kApart;
  }
  return layout;
}

// Tells apart what may allocate differently.
std::string trial_key_of(const TorchLowered& lowered, const Operation& operation) {
  const Program& program = lowered.program;
  std::string key = fmt::format("{} {} {} {} {}", operation.op->name, int(operation.phase),
                                lowered.options.format.name(), lowered.options.threads, print(operation.attributes));
  std::map<int32_t, size_t> storages;
  for_each_operand(operation, [&](ValueId id) {
    key += '|';
    if (!id.present() || !program.value(id).type) return;
    const ProgramValue& value = program.value(id);
    const size_t storage = storages.emplace(storage_root_of(program, id).index, storages.size()).first->second;
    key += fmt::format("{} {} {}", int(value.type->dtype), fmt::join(value.type->shape.dims(), "x"), storage);
    if (!value.constant) return;
    const auto& bytes = value.constant->bytes;
    key.append(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kTellingConstant));
  });
  return key;
}

class Trials {
 public:
  Trials(const TorchLowered& lowered, std::span<std::byte> scratch) : lowered_(lowered), room_(scratch) {}

  // nullopt: the device has no room for it.
  Result<std::optional<AllocationRecord>> run(size_t index) {
    const Operation& operation = lowered_.program.operations[index];
    const TrialLayout layout = trial_layout_of(lowered_, operation);
    PLIM_ASSIGN(const bool there, make_room(layout.bytes));
    if (!there) return std::optional<AllocationRecord>();  // no plan of it fits either
    clear_on_device(room_.data(), size_t(layout.bytes));
    TorchOperands operands;
    for (const ValueId id : operation.inputs) operands.inputs.push_back(operand(id, layout));
    for (const ValueId id : operation.outputs) operands.outputs.push_back(operand(id, layout));
    const Bytes before = resident_in_process();
    PLIM_ASSIGN(AllocationRecord record, recorded(index, operands));
    malloc_trim(0);  // what the trial took from the system and gave back is not kept
    record.kept = std::max(Bytes(0), resident_in_process() - before);
    return std::optional(std::move(record));
  }

 private:
  // What libraries allocate once and keep is no part of a step: then the next time is recorded.
  Result<AllocationRecord> recorded(size_t index, const TorchOperands& operands) const {
    for (int tries = 0; tries < kMostTries; ++tries) {
      RecordingScope scope;
      lowered_.kernels[index](operands);
      if (!call_failure().empty()) return call_error(lowered_.program.operations[index].name, take_call_failure());
      if (scope.all_released()) return scope.record();
    }
    return AllocationRecord{};  // nothing is steered
  }

  // Whether there is so much. A device that gives nothing, however little, is an Error.
  Result<bool> make_room(int64_t bytes) {
    if (int64_t(room_.size()) >= bytes) return true;
    own_.reset();
    room_ = {};
    const bool on_gpu = lowered_.options.device.kind == RunDevice::Kind::cuda;
    if (!on_gpu && bytes > memory_of_machine() / 2) return false;  // which would hand it out, and miss it later
    auto taken = device_memory(lowered_.options.device).take(Bytes(bytes));
    if (!taken.ok() && !means_no_memory(taken.error().what)) return taken.error();
    if (!taken.ok()) return false;
    own_ = *std::move(taken);
    room_ = {own_.get(), size_t(bytes)};
    return true;
  }

  TorchTensor operand(ValueId id, const TrialLayout& layout) const {
    const Program& program = lowered_.program;
    if (!id.present() || !program.value(id).type || !has_dtype(program.value(id).type->dtype)) return {};
    std::byte* data = room_.data() + layout.offsets.at(storage_root_of(program, id).index);
    const ProgramValue& value = program.value(id);
    if (value.constant) copy_to_device(data, value.constant->bytes);
    return TorchTensor::on_device(*value.type, data);
  }

  const TorchLowered& lowered_;
  std::span<std::byte> room_;
  std::shared_ptr<std::byte> own_;
};

using Records = std::map<std::string, AllocationRecord>;  // by trial_key_of()

// Of the operations that have to be tried.
Flops work_to_try(const TorchLowered& lowered, const Records& known) {
  Flops work;
  std::set<std::string> counted;
  for (size_t i = 0; i < lowered.kernels.size(); ++i) {
    const Operation& operation = lowered.program.operations[i];
    if (!lowered.kernels[i]) continue;
    const std::string key = trial_key_of(lowered, operation);
    if (!known.contains(key) && counted.insert(key).second) work += operation.cost.flops;
  }
  return work;
}

// The time that trials take, held against what may be spent.
class TimedTrials {
 public:
  TimedTrials(std::optional<Seconds> most, Flops all) : begin_(Clock::now()) {
    if (most) patience_.emplace(*most, all);
  }

  Status done(Flops work) {
    done_ += work;
    const Seconds spent{std::chrono::duration<double>(Clock::now() - begin_).count()};
    const auto whole = patience_ ? patience_->too_long(done_, spent) : std::nullopt;
    if (!whole) return {};
    return user_error(
        fmt::format("trying every kernel of a step once on {} would take about {}", opened_torch().device().name(),
                    human_time(*whole)),
        fmt::format("ask about a smaller network or {}, or about a device of the catalog, which is predicted",
                    named("batch")));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<TrialPatience> patience_;
  Clock::time_point begin_;
  Flops done_;
};

}  // namespace

Result<Tried> record_allocations(const TorchLowered& lowered, std::span<std::byte> scratch,
                                 std::optional<Seconds> most) {
  static std::mutex mutex;
  static Records known;
  const std::lock_guard lock(mutex);
  TimedTrials timed(most, work_to_try(lowered, known));
  use_torch_threads(lowered.options.threads);
  Tried tried;
  tried.records.resize(lowered.kernels.size());
  std::set<std::string> counted;
  std::optional<Trials> trials(std::in_place, lowered, scratch);
  for (size_t i = 0; i < tried.records.size(); ++i) {
    if (!lowered.kernels[i]) continue;
    const std::string key = trial_key_of(lowered, lowered.program.operations[i]);
    auto found = known.find(key);
    if (found == known.end()) {
      PLIM_ASSIGN(std::optional<AllocationRecord> record, trials->run(i));
      PLIM_TRY(timed.done(lowered.program.operations[i].cost.flops));
      if (!record) continue;  // another time there may be room
      found = known.emplace(key, *std::move(record)).first;
    }
    tried.records[i] = found->second;
    if (counted.insert(key).second) tried.kept += found->second.kept;
  }
  trials.reset();
  malloc_trim(0);  // what trials took from the system goes back to it before the plan's memory is taken
  if (const auto gpu = gpu_memory_in_use()) tried.kept = gpu->in_use;
  return tried;
}

}  // namespace plimsoll
