#include "plan/memory/lifetimes.h"

#include <algorithm>

#include "plan/memory/pack.h"

namespace plimsoll {
namespace {

constexpr int32_t kNever = -1;

// When a value is first and last touched, and who makes it.
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
  const bool view = operation.op->storage == Storage::view && i == 0 && !operation.inputs.empty();
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
  Collector(const Program& program, const SizeRules& rules)
      : program_(program),
        rules_(rules),
        uses_(program.values.size()),
        end_(std::max(int32_t(program.operations.size()), 1) - 1) {}

  Lifetimes collect() {
    read_operations();
    for (const ValueId id : program_.inputs) use(id).at(0);
    for (const ValueId id : program_.outputs) use(id).at(end_);
    if (program_.loss.present()) use(program_.loss).at(end_);
    find_homes();
    add_values();
    add_workspaces();
    return std::move(result_);
  }

 private:
  Use& use(ValueId id) { return uses_.at(size_t(id.index)); }

  void read_operations() {
    for (size_t i = 0; i < program_.values.size(); ++i) uses_[i].home = {int32_t(i)};
    for (size_t t = 0; t < program_.operations.size(); ++t) {
      const Operation& operation = program_.operations[t];
      for (const ValueId id : operation.inputs)
        if (id.present()) use(id).at(int32_t(t));
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
    std::vector<Role> roles;
    for (size_t i = 0; i < uses_.size(); ++i) {
      if (!takes_memory(i)) continue;
      if (!program_.values[i].type) {
        ++result_.unknown_values;
        continue;
      }
      int32_t& at_home = result_.storage_of[size_t(uses_[i].home.index)];
      if (at_home < 0) {
        at_home = int32_t(result_.storages.size());
        result_.storages.push_back({uses_[i].home, Bytes(0), end_, 0});
        roles.push_back(Role::activation);
      }
      result_.storage_of[i] = at_home;
      join(result_.storages[size_t(at_home)], roles[size_t(at_home)], i);
    }
    for (size_t s = 0; s < result_.storages.size(); ++s) settle(result_.storages[s], roles[s]);
  }

  void join(StorageLife& storage, Role& role, size_t i) {
    const ProgramValue& value = program_.values[i];
    storage.size = std::max(storage.size, rounded_up(rules_.storage(value), kAlignment));
    if (uses_[i].first != kNever) storage.first = std::min(storage.first, uses_[i].first);
    storage.last = std::max(storage.last, uses_[i].last);
    if (rank(value.role) > rank(role)) role = value.role;
  }

  void settle(StorageLife& storage, Role role) {
    storage.part = part_of(role);
    const bool whole = role == Role::gradient && program_.micro_batches > 1;
    storage.persistent = whole || rank(role) > rank(Role::gradient);
    if (role == Role::input || storage.persistent) storage.first = 0;
    if (storage.persistent) storage.last = end_;
  }

  void add_workspaces() {
    for (size_t t = 0; t < program_.operations.size(); ++t) {
      const Bytes size = rounded_up(rules_.workspace(program_, program_.operations[t]), kAlignment);
      if (size > Bytes(0))
        result_.storages.push_back({ValueId{}, size, int32_t(t), int32_t(t), MemoryPart::workspace, false});
    }
  }

  const Program& program_;
  const SizeRules& rules_;
  std::vector<Use> uses_;
  int32_t end_;
  Lifetimes result_;
};

}  // namespace

Lifetimes lifetimes(const Program& program, const SizeRules& rules) { return Collector(program, rules).collect(); }

}  // namespace plimsoll
