#include "model/passes/recompute.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

class Recomputer {
 public:
  explicit Recomputer(Program& program)
      : program_(program), producer_(program.values.size(), -1), kept_(program.values.size(), false) {
    for (size_t i = 0; i < program.operations.size(); ++i) {
      const Operation& operation = program.operations[i];
      const bool forward = operation.phase == Phase::forward;
      if (forward) forward_flops_ += operation.cost.flops;
      for (const ValueId id : operation.outputs)
        if (id.present() && forward) producer_[size_t(id.index)] = int64_t(i);
      if (operation.phase != Phase::backward) continue;
      for (const ValueId id : operation.inputs)
        if (id.present()) kept_[size_t(id.index)] = true;
    }
  }

  Recomputation run(double share) {
    const double budget = share * double(forward_flops_.value());
    for (const ValueId id : candidates()) {
      std::set<int64_t> more;
      if (!closure(id, more)) continue;
      Flops cost;
      for (const int64_t operation : more) cost += program_.operations[size_t(operation)].cost.flops;
      if (double((result_.added + cost).value()) > budget) continue;
      dropped_.insert(id);
      again_.insert(more.begin(), more.end());
      result_.added += cost;
      result_.saved += program_.value(id).type->bytes();
      ++result_.dropped;
    }
    rewrite();
    return result_;
  }

 private:
  // Forward results that wait for the backward pass, the best bargain first.
  std::vector<ValueId> candidates() const {
    std::vector<ValueId> ids;
    for (size_t i = 0; i < kept_.size(); ++i) {
      const ValueId id{int32_t(i)};
      if (kept_[i] && producer_[i] >= 0 && program_.value(id).type && can_repeat(producer_[i], id)) ids.push_back(id);
    }
    const auto bargain = [&](ValueId id) {
      const Operation& operation = program_.operations[size_t(producer_[size_t(id.index)])];
      return double(program_.value(id).type->bytes().value()) / double(operation.cost.flops.value() + 1);
    };
    std::stable_sort(ids.begin(), ids.end(), [&](ValueId a, ValueId b) { return bargain(a) > bargain(b); });
    return ids;
  }

  // Only first results are dropped: the small ones beside them (places, masks, statistics) stay. Views are
  // free, and what they look at is dropped instead.
  bool can_repeat(int64_t index, ValueId id) const {
    const Operation& operation = program_.operations[size_t(index)];
    return operation.op && operation.certainty == Certainty::exact && operation.outputs[0] == id;
  }

  // The operations, beyond those that run again anyway, that bring the value back from what is kept.
  bool closure(ValueId id, std::set<int64_t>& more) const {
    const int64_t index = producer_[size_t(id.index)];
    if (index < 0) return true;  // a parameter, an input
    if (again_.count(index) || more.count(index)) return true;
    if (!can_repeat(index, id)) return kept_[size_t(id.index)];
    more.insert(index);
    for (const ValueId input : program_.operations[size_t(index)].inputs) {
      if (!input.present()) continue;
      const bool there = kept_[size_t(input.index)] && !dropped_.count(input);
      if (!there && !closure(input, more)) return false;
    }
    return true;
  }

  // Backward operations read copies, each made just before its first reader.
  void rewrite() {
    if (dropped_.empty()) return;
    std::vector<Operation> before = std::move(program_.operations);
    program_.operations.clear();
    forward_ = &before;
    for (auto& operation : before) {
      if (operation.phase == Phase::backward)
        for (ValueId& id : operation.inputs)
          if (id.present() && dropped_.count(id)) id = copy_of(id);
      program_.operations.push_back(operation);
    }
  }

  ValueId copy_of(ValueId id) {
    const int64_t index = producer_[size_t(id.index)];
    if (index < 0 || (kept_[size_t(id.index)] && !dropped_.count(id))) return id;
    if (const auto made = copies_.find(id); made != copies_.end()) return made->second;
    Operation again = (*forward_)[size_t(index)];
    for (ValueId& input : again.inputs)
      if (input.present()) input = copy_of(input);
    for (ValueId& output : again.outputs) output = {};
    const ProgramValue& value = program_.value(id);
    again.outputs[0] = program_.add({value.name + ".again", Role::activation, value.type, nullptr});
    again.name += ".again";
    again.phase = Phase::backward;
    copies_[id] = again.outputs[0];
    program_.operations.push_back(std::move(again));
    return copies_[id];
  }

  Program& program_;
  std::vector<int64_t> producer_;  // forward operation of each value, -1: none
  std::vector<bool> kept_;         // read by the backward pass
  std::set<ValueId> dropped_;
  std::set<int64_t> again_;  // forward operations that run a second time
  std::map<ValueId, ValueId> copies_;
  const std::vector<Operation>* forward_ = nullptr;
  Flops forward_flops_;
  Recomputation result_;
};

}  // namespace

Recomputation recompute(Program& program, double share) { return Recomputer(program).run(share); }

}  // namespace plimsoll
