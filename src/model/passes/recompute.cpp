#include "model/passes/recompute.h"

#include <algorithm>
#include <iterator>

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
        dropped_(program.values.size(), false),
        again_(program.operations.size(), false),
        copies_(program.values.size()),
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
      std::vector<int64_t> more;
      const bool found = closure(id, more);
      Flops cost;
      for (const int64_t operation : more) cost += program_.operations[size_t(operation)].cost.flops;
      if (!found || double((result_.added + cost).value()) > budget) {
        for (const int64_t operation : more) again_[size_t(operation)] = false;
        continue;
      }
      dropped_[size_t(id.index)] = true;
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
    std::vector<std::pair<double, ValueId>> bargains;
    for (size_t i = 0; i < kept_.size(); ++i) {
      const ValueId id{int32_t(i)};
      if (!kept_[i] || producer_[i] < 0 || !program_.value(id).type || !can_repeat(producer_[i], id)) continue;
      const Operation& operation = program_.operations[size_t(producer_[i])];
      bargains.emplace_back(double(program_.value(id).type->bytes().value()) / double(operation.cost.flops.value() + 1),
                            id);
    }
    std::stable_sort(bargains.begin(), bargains.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<ValueId> ids;
    for (const auto& [bargain, id] : bargains) ids.push_back(id);
    return ids;
  }

  // Only first results are dropped: the small ones beside them (places, masks, statistics) stay. Views are
  // free, and what they look at is dropped instead.
  bool can_repeat(int64_t index, ValueId id) const {
    const Operation& operation = program_.operations[size_t(index)];
    return operation.op && operation.certainty == Certainty::exact && operation.outputs[0] == id;
  }

  // Marks the operations, beyond those that run again anyway, that bring the value back from what is kept, and lists
  // them. False when there are none; also when all these searches together have taken too long.
  bool closure(ValueId wanted, std::vector<int64_t>& more) {
    std::vector<ValueId> left{wanted};
    while (!left.empty()) {
      const ValueId id = left.back();
      left.pop_back();
      const int64_t index = producer_[size_t(id.index)];
      if (index < 0) continue;  // a parameter, an input
      if (again_[size_t(index)]) continue;
      if (!can_repeat(index, id)) {
        if (!kept_[size_t(id.index)]) return false;
        continue;
      }
      more.push_back(index);
      again_[size_t(index)] = true;
      const auto& inputs = program_.operations[size_t(index)].inputs;
      search_left_ -= int64_t(inputs.size()) + 1;
      if (search_left_ < 0) return false;
      for (const ValueId input : inputs)
        if (input.present() && !is_there(input)) left.push_back(input);
    }
    return true;
  }

  bool is_there(ValueId id) const { return kept_[size_t(id.index)] && !dropped_[size_t(id.index)]; }

  // Backward operations read copies, each made just before its first reader.
  void rewrite() {
    if (result_.dropped == 0) return;
    std::vector<Operation> before = std::move(program_.operations);
    program_.operations.clear();
    program_.operations.reserve(before.size() + size_t(std::count(again_.begin(), again_.end(), true)));
    now_at_.assign(before.size(), 0);
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i].phase == Phase::backward)
        for (ValueId& id : before[i].inputs)
          if (id.present() && dropped_[size_t(id.index)]) id = copy_of(id);
      now_at_[i] = program_.operations.size();
      program_.operations.push_back(std::move(before[i]));
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
        const auto& inputs = producer_of(id).inputs;
        std::copy_if(inputs.rbegin(), inputs.rend(), std::back_inserter(path),
                     [&](ValueId input) { return input.present() && needs_copy(input); });
        if (path.size() == before) make_copy(id);
      }
      if (path.size() == before) path.pop_back();
    }
    return copied(wanted);
  }

  // The forward pass comes first, so what has to run again is already where it stays.
  const Operation& producer_of(ValueId id) const {
    return program_.operations[now_at_[size_t(producer_[size_t(id.index)])]];
  }

  bool needs_copy(ValueId id) const {
    return producer_[size_t(id.index)] >= 0 && !is_there(id) && !copies_[size_t(id.index)].present();
  }

  ValueId copied(ValueId id) const {
    const ValueId made = copies_[size_t(id.index)];
    return made.present() ? made : id;
  }

  void make_copy(ValueId id) {
    const Operation& first = producer_of(id);
    Operation again = first;
    for (ValueId& input : again.inputs)
      if (input.present()) input = copied(input);
    for (size_t i = 0; i < again.outputs.size(); ++i) {
      again.outputs[i] = written_again(first, i);
      if (again.outputs[i].present() && !is_there(first.outputs[i]))
        copies_[size_t(first.outputs[i].index)] = again.outputs[i];
    }
    again.name += ".again";
    again.phase = Phase::backward;
    program_.operations.push_back(std::move(again));
  }

  Program& program_;
  std::vector<int64_t> producer_;  // forward operation of each value, -1: none
  std::vector<bool> kept_;         // read by the backward pass
  std::vector<bool> dropped_;
  std::vector<bool> again_;      // forward operations that run a second time
  std::vector<ValueId> copies_;  // of each value, absent: none
  std::vector<size_t> now_at_;   // where each operation has come to
  Flops forward_flops_;
  int64_t search_left_;  // inputs that the search for what has to run again may still look at
  Recomputation result_;
};

}  // namespace

Recomputation recompute(Program& program, double share) { return Recomputer(program).run(share); }

}  // namespace plimsoll
