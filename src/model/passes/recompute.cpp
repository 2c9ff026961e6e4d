#include "model/passes/recompute.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace plimsoll {
namespace {

// How often each operation may be looked at while candidates are tried, so that long chains do not take their square.
constexpr int64_t kSearches = 64, kAlwaysSearched = 1'000'000;

class Recomputer {
 public:
  explicit Recomputer(Program& program)
      : program_(program),
        producer_(program.values.size(), -1),
        kept_(program.values.size(), false),
        search_left_(kSearches * int64_t(program.operations.size()) + kAlwaysSearched) {
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
  // False when there are none; also when all these searches together have taken too long.
  bool closure(ValueId wanted, std::set<int64_t>& more) {
    std::vector<ValueId> left{wanted};
    while (!left.empty()) {
      const ValueId id = left.back();
      left.pop_back();
      const int64_t index = producer_[size_t(id.index)];
      if (index < 0) continue;  // a parameter, an input
      if (again_.count(index) || more.count(index)) continue;
      if (!can_repeat(index, id)) {
        if (!kept_[size_t(id.index)]) return false;
        continue;
      }
      more.insert(index);
      const auto& inputs = program_.operations[size_t(index)].inputs;
      search_left_ -= int64_t(inputs.size()) + 1;
      if (search_left_ < 0) return false;
      for (const ValueId input : inputs)
        if (input.present() && !is_there(input)) left.push_back(input);
    }
    return true;
  }

  bool is_there(ValueId id) const { return kept_[size_t(id.index)] && !dropped_.count(id); }

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

  // Everything but what the operation changes in place, running statistics: that was done the first time.
  ValueId written_again(const Operation& operation, size_t output) {
    const auto changes = [&](const InputUpdate& update) { return update.output == output; };
    const auto& updates = operation.op->updates;
    if (!operation.outputs[output].present() || std::any_of(updates.begin(), updates.end(), changes)) return {};
    const ProgramValue value = program_.value(operation.outputs[output]);
    return program_.add({value.name + ".again", Role::activation, value.type, nullptr});
  }

  // Inputs before what reads them, without recursion: chains of copies are as long as the network.
  ValueId copy_of(ValueId wanted) {
    std::vector<ValueId> path{wanted};
    while (!path.empty()) {
      const ValueId id = path.back();
      const size_t before = path.size();
      if (needs_copy(id)) {
        const auto& inputs = (*forward_)[size_t(producer_[size_t(id.index)])].inputs;
        std::copy_if(inputs.rbegin(), inputs.rend(), std::back_inserter(path),
                     [&](ValueId input) { return input.present() && needs_copy(input); });
        if (path.size() == before) make_copy(id);
      }
      if (path.size() == before) path.pop_back();
    }
    return copied(wanted);
  }

  bool needs_copy(ValueId id) const { return producer_[size_t(id.index)] >= 0 && !is_there(id) && !copies_.count(id); }

  ValueId copied(ValueId id) const {
    const auto made = copies_.find(id);
    return made == copies_.end() ? id : made->second;
  }

  void make_copy(ValueId id) {
    const Operation& first = (*forward_)[size_t(producer_[size_t(id.index)])];
    Operation again = first;
    for (ValueId& input : again.inputs)
      if (input.present()) input = copied(input);
    for (size_t i = 0; i < again.outputs.size(); ++i) {
      again.outputs[i] = written_again(first, i);
      if (again.outputs[i].present() && !is_there(first.outputs[i])) copies_[first.outputs[i]] = again.outputs[i];
    }
    again.name += ".again";
    again.phase = Phase::backward;
    program_.operations.push_back(std::move(again));
  }

  Program& program_;
  std::vector<int64_t> producer_;  // forward operation of each value, -1: none
  std::vector<bool> kept_;         // read by the backward pass
  std::set<ValueId> dropped_;
  std::set<int64_t> again_;  // forward operations that run a second time
  std::map<ValueId, ValueId> copies_;
  const std::vector<Operation>* forward_ = nullptr;
  Flops forward_flops_;
  int64_t search_left_;  // inputs that the search for what has to run again may still look at
  Recomputation result_;
};

}  // namespace

Recomputation recompute(Program& program, double share) { return Recomputer(program).run(share); }

}  // namespace plimsoll
