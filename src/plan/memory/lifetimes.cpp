#include "plan/memory/lifetimes.h"

#include <algorithm>
#include <utility>

#include "plan/memory/pack.h"

namespace plimsoll {
namespace {

constexpr int32_t kNever = -1;

// When a value is first and last touched, and where it lives.
struct Use {
  int32_t first = kNever;
  int32_t last = kNever;
  ValueId home;  // the value in whose memory it lives; itself at the end of a chain

  void at(int32_t operation) {
    if (first == kNever || operation < first) first = operation;
    last = std::max(last, operation);
  }
};

// The input in whose memory output `i` lies by the operation's own nature.
ValueId natural_home(const Operation& operation, size_t i) {
  if (!operation.op) return {};
  for (const auto& update : operation.op->updates)
    if (update.output == i && update.input < operation.inputs.size()) return operation.inputs[update.input];
  const bool view = operation.op->storage == Storage::view && !operation.inputs.empty();
  return view ? operation.inputs[0] : ValueId{};
}

// Several roles may meet in one storage; what is kept longest names it.
int rank(Role role) {
  switch (role) {
    case Role::parameter: return 6;
    case Role::buffer: return 5;
    case Role::state: return 4;
    case Role::constant: return 3;
    case Role::gradient: return 2;
    case Role::input: return 1;
    case Role::activation: return 0;
  }
  return 0;
}

MemoryPart part_of(Role role) {
  switch (role) {
    case Role::parameter:
    case Role::buffer:
    case Role::constant: return MemoryPart::parameters;
    case Role::state: return MemoryPart::optimizer;
    case Role::gradient: return MemoryPart::gradients;
    case Role::input: return MemoryPart::input;
    case Role::activation: break;
  }
  return MemoryPart::activations;
}

class Collector {
 public:
  explicit Collector(const Program& program)
      : program_(program), uses_(program.values.size()), end_(std::max(int32_t(program.operations.size()), 1) - 1) {}

  Lifetimes collect() {
    read_operations();
    for (const ValueId id : program_.inputs) touch(id, 0);
    for (const ValueId id : program_.outputs) touch(id, end_);
    touch(program_.loss, end_);
    find_homes();
    add_values();
    return std::move(result_);
  }

 private:
  Use& use(ValueId id) { return uses_.at(size_t(id.index)); }

  void touch(ValueId id, int32_t operation) {
    if (id.present()) use(id).at(operation);
  }

  void read_operations() {
    for (size_t i = 0; i < program_.values.size(); ++i) uses_[i].home = {int32_t(i)};
    for (size_t t = 0; t < program_.operations.size(); ++t) {
      const Operation& operation = program_.operations[t];
      for (const ValueId id : operation.inputs) touch(id, int32_t(t));
      for (size_t i = 0; i < operation.outputs.size(); ++i) {
        const ValueId id = operation.outputs[i];
        if (!id.present()) continue;
        use(id).at(int32_t(t));
        if (const ValueId home = natural_home(operation, i); home.present()) use(id).home = home;
      }
    }
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].storage.present()) uses_[i].home = program_.values[i].storage;
  }

  // Follows every chain of homes to its end, and shortens it on the way.
  void find_homes() {
    for (size_t i = 0; i < uses_.size(); ++i) {
      ValueId end = uses_[i].home;
      for (size_t steps = 0; use(end).home != end; end = use(end).home)
        PLIM_CHECK(++steps <= uses_.size(), "values live in each other's memory in a circle");
      for (ValueId at{int32_t(i)}; at != end;) at = std::exchange(use(at).home, end);
    }
  }

  // A value that no operation touches and that is not stored is not there: shape arithmetic that was folded away.
  bool takes_memory(size_t i) const {
    const Role role = program_.values[i].role;
    const bool stored = role == Role::parameter || role == Role::buffer || role == Role::state;
    return stored || uses_[i].first != kNever;
  }

  void add_values() {
    result_.storage_of.assign(uses_.size(), -1);
    for (size_t i = 0; i < uses_.size(); ++i)
      if (takes_memory(i) && program_.values[i].type) join(storage_at(uses_[i].home), i);
    for (size_t i = 0; i < uses_.size(); ++i) {
      if (!takes_memory(i) || program_.values[i].type) continue;
      const int32_t home = result_.storage_of[size_t(uses_[i].home.index)];
      if (home >= 0) join(home, i);  // a view of a value whose size is known
      else ++result_.unknown_values;
    }
    for (size_t s = 0; s < result_.storages.size(); ++s) settle(result_.storages[s], roles_[s]);
  }

  int32_t storage_at(ValueId home) {
    int32_t& storage = result_.storage_of[size_t(home.index)];
    if (storage < 0) {
      storage = int32_t(result_.storages.size());
      result_.storages.push_back({home, Bytes(0), end_, 0});
      roles_.push_back(Role::activation);
    }
    return storage;
  }

  void join(int32_t index, size_t i) {
    StorageLife& storage = result_.storages[size_t(index)];
    Role& role = roles_[size_t(index)];
    result_.storage_of[i] = index;
    if (uses_[i].first != kNever) storage.first = std::min(storage.first, uses_[i].first);
    storage.last = std::max(storage.last, uses_[i].last);
    if (rank(program_.values[i].role) > rank(role)) role = program_.values[i].role;
  }

  void settle(StorageLife& storage, Role role) {
    storage.part = part_of(role);
    const bool whole = role == Role::gradient && program_.micro_batches > 1;
    storage.persistent = whole || rank(role) > rank(Role::gradient);
    if (role == Role::input || storage.persistent) storage.first = 0;
    if (storage.persistent) storage.last = end_;
  }

  const Program& program_;
  std::vector<Use> uses_;
  int32_t end_;
  Lifetimes result_;
  std::vector<Role> roles_;  // of each storage
};

// Workspaces, which come last, are left out.
void set_value_sizes(Lifetimes& lifetimes, const Program& program, const SizeRules& rules) {
  auto& storages = lifetimes.storages;
  const int64_t line = rules.line();
  while (!storages.empty() && !storages.back().value.present()) storages.pop_back();
  for (auto& storage : storages) storage.size = Bytes(0);
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (lifetimes.storage_of[i] < 0 || !program.values[i].type) continue;
    Bytes& size = storages[size_t(lifetimes.storage_of[i])].size;
    size = std::max(size, rounded_up(rules.storage(program, {int32_t(i)}), line));
  }
}

}  // namespace

Lifetimes lifetimes_alone(const Program& program) { return Collector(program).collect(); }

Lifetimes lifetimes(const Program& program, const SizeRules& rules) {
  Lifetimes result = lifetimes_alone(program);
  set_sizes(result, program, rules);
  return result;
}

void set_sizes(Lifetimes& lifetimes, const Program& program, const SizeRules& rules, std::span<const int32_t> moments) {
  set_value_sizes(lifetimes, program, rules);
  const int64_t line = rules.line();
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Bytes size = rounded_up(rules.workspace(program, i), line);
    const int32_t moment = moments.empty() ? int32_t(i) : moments[i];
    if (size > Bytes(0)) lifetimes.storages.push_back({ValueId{}, size, moment, moment, MemoryPart::workspace, false});
  }
}

}  // namespace plimsoll
