#include "model/ir/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include <set>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kNever = -1;

class Checker {
 public:
  explicit Checker(const Program& program)
      : program_(program), writer_(program.values.size(), kNever), content_(program.values.size()) {}

  Status run() {
    PLIM_TRY(check_sizes());
    PLIM_TRY(check_ids());
    PLIM_TRY(check_storage());
    PLIM_TRY(check_values());
    start_contents();
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      auto status = check(program_.operations[i], int64_t(i));
      if (!status.ok()) return std::move(status).error().in(place_of(program_.operations[i], i));
    }
    return check_ends();
  }

 private:
  static std::string place_of(const Operation& operation, size_t i) {
    return fmt::format("operation {} {} ({})", i, in_quotes(operation.name), printable(operation.label(), 80));
  }

  std::string name_of(ValueId id) const { return fmt::format("%{} {}", id.index, in_quotes(program_.value(id).name)); }

  bool in_range(ValueId id) const { return id.index >= -1 && id.index < int32_t(program_.values.size()); }

  Status check_sizes() const {
    if (program_.batch < 1 || program_.micro_batches < 1)
      return user_error(fmt::format("the batch is {} in {} micro-batches, expected at least 1", program_.batch,
                                    program_.micro_batches));
    return {};
  }

  Status check_ids(const std::vector<ValueId>& ids, std::string_view what, bool optional) const {
    for (const ValueId id : ids)
      if (!in_range(id) || (!optional && !id.present()))
        return user_error(fmt::format("{} is %{}, but there are {} values", what, id.index, program_.values.size()));
    return {};
  }

  Status check_ids() {
    PLIM_TRY(check_ids(program_.inputs, "an input", false));
    PLIM_TRY(check_ids(program_.outputs, "an output", false));
    PLIM_TRY(check_ids({program_.loss}, "the loss", true));
    for (const auto& value : program_.values) PLIM_TRY(check_ids({value.storage}, "a storage", true));
    for (const auto& norm : program_.folded)
      PLIM_TRY(check_ids({norm.weights, norm.bias, norm.scale, norm.shift, norm.mean, norm.variance},
                         "a tensor of a folded norm", false));
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      auto status = check_ids(program_.operations[i], int64_t(i));
      if (!status.ok()) return std::move(status).error().in(place_of(program_.operations[i], i));
    }
    return {};
  }

  Status check_ids(const Operation& operation, int64_t index) {
    PLIM_TRY(check_ids(operation.inputs, "what it reads", true));
    PLIM_TRY(check_ids(operation.outputs, "what it writes", true));
    for (const ValueId id : operation.outputs) {
      if (!id.present()) continue;
      int64_t& writer = writer_[size_t(id.index)];
      if (writer != kNever)
        return user_error(fmt::format("{} is written a second time, operation {} has written it", name_of(id), writer));
      writer = index;
    }
    if (operation.repeat < Count(1)) return user_error("it never runs, expected at least once");
    return {};
  }

  // A value's own memory, or the value whose memory it lies in.
  ValueId root(ValueId id) const { return roots_[size_t(id.index)]; }

  // In-place operations make chains as long as the program: each value is walked over once.
  Status find_roots() {
    constexpr int32_t kUnknown = -1, kBeingWalked = -2;
    roots_.assign(program_.values.size(), ValueId{kUnknown});
    std::vector<int32_t> walked;
    for (size_t i = 0; i < roots_.size(); ++i) {
      auto at = int32_t(i);
      while (roots_[size_t(at)].index == kUnknown) {
        walked.push_back(at);
        const ValueId next = program_.values[size_t(at)].storage;
        roots_[size_t(at)] = next.present() ? ValueId{kBeingWalked} : ValueId{at};
        if (next.present()) at = next.index;
      }
      if (roots_[size_t(at)].index == kBeingWalked)
        return user_error(fmt::format("{} lies in memory that lies in its own", name_of({int32_t(i)})));
      for (const int32_t value : walked) roots_[size_t(value)] = roots_[size_t(at)];
      walked.clear();
    }
    return {};
  }

  Status check_storage() {
    PLIM_TRY(find_roots());
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ValueId id = roots_[i];
      const auto &own = program_.values[i].type, &whole = program_.value(id).type;
      if (own && whole && own->bytes() > whole->bytes())
        return user_error(fmt::format("{} has {} bytes and lies in {}, which has {}", name_of({int32_t(i)}),
                                      own->bytes().value(), name_of(id), whole->bytes().value()));
    }
    return {};
  }

  Status check_values() const {
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ProgramValue& value = program_.values[i];
      if (value.constant && value.type && value.constant->type != *value.type)
        return user_error(fmt::format("{} is {} {}, its contents are {} {}", name_of({int32_t(i)}),
                                      plimsoll::name_of(value.type->dtype), value.type->shape.text(),
                                      plimsoll::name_of(value.constant->type.dtype),
                                      value.constant->type.shape.text()));
    }
    return {};
  }

  // There before the step: stored, given with the batch or known. A gradient that nobody writes is a sum over
  // micro-batches, which starts at zero.
  bool is_given(ValueId id) const {
    const ProgramValue& value = program_.value(id);
    return writer_[size_t(id.index)] == kNever && (value.role != Role::activation || value.constant);
  }

  void start_contents() {
    holds_.assign(program_.values.size(), ValueId{});
    last_writer_.assign(program_.values.size(), kNever);
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ValueId id{int32_t(i)};
      if (!is_given(id)) continue;
      content_[i] = id;
      if (!program_.values[i].storage.present()) holds_[i] = id;
    }
  }

  Status check(const Operation& operation, int64_t index) {
    // What the body of a loop reads of its last round is written by no operation before it.
    const bool in_loop = operation.repeat != Count(1) || operation.certainty == Certainty::unbounded;
    for (size_t i = 0; i < operation.inputs.size() && !in_loop; ++i)
      if (operation.inputs[i].present() && is_read(operation, i)) PLIM_TRY(check_read(operation.inputs[i], index));
    PLIM_TRY(check_types(operation));
    PLIM_TRY(check_updates(operation));
    for (size_t i = 0; i < operation.outputs.size(); ++i)
      if (operation.outputs[i].present()) PLIM_TRY(check_write(operation, i, index));
    return {};
  }

  // What an operation keeps up to date is not read where nobody asks for the new contents: a batch norm that is
  // computed again leaves its statistics alone.
  static bool is_read(const Operation& operation, size_t input) {
    if (!operation.op) return true;
    for (const auto& update : operation.op->updates)
      if (update.input == input)
        return update.output < operation.outputs.size() && operation.outputs[update.output].present();
    return true;
  }

  Status check_read(ValueId id, int64_t index) const {
    const int64_t writer = writer_[size_t(id.index)];
    if (writer == kNever && !is_given(id))
      return user_error(fmt::format("it reads {}, which nobody writes", name_of(id)));
    if (writer >= index)
      return user_error(fmt::format("it reads {}, which operation {} writes only then", name_of(id), writer));
    return check_still_there(id);
  }

  Status check_still_there(ValueId id) const {
    const ValueId there = holds_[size_t(root(id).index)];
    if (content_[size_t(id.index)] == there) return {};
    return user_error(fmt::format("it reads {}, whose memory {} has been written to since", name_of(id),
                                  there.present() ? name_of(there) : std::string("nothing")));
  }

  Status check_types(const Operation& operation) const {
    if (!operation.op || !operation.op->infer || operation.certainty != Certainty::exact) return {};
    const OpCall call = call_of(program_, operation);
    for (size_t i = 0; i < operation.inputs.size(); ++i)
      if (operation.inputs[i].present() && !call.has(i)) return {};  // downstream of what we do not know
    auto types = infer(*operation.op, call);
    if (!types.ok()) {
      if (types.error().kind == ErrorKind::undetermined) return {};
      return std::move(types).error().in("its shape rule");
    }
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      const ValueId id = operation.outputs[i];
      if (!id.present() || !program_.value(id).type || *program_.value(id).type == (*types)[i]) continue;
      const TensorType& found = *program_.value(id).type;
      return user_error(fmt::format("{} is {} {}, by its shape rule it is {} {}", name_of(id),
                                    plimsoll::name_of(found.dtype), found.shape.text(),
                                    plimsoll::name_of((*types)[i].dtype), (*types)[i].shape.text()));
    }
    return {};
  }

  // A parameter's, state's or statistic's next contents are in the memory of the last: else they are lost with the
  // step.
  Status check_updates(const Operation& operation) const {
    if (!operation.op || operation.phase != Phase::update) return {};
    for (const auto& update : operation.op->updates) {
      const ValueId to = update.output < operation.outputs.size() ? operation.outputs[update.output] : ValueId{};
      const ValueId from = update.input < operation.inputs.size() ? operation.inputs[update.input] : ValueId{};
      if (!to.present() || !from.present() || root(to) == root(from)) continue;
      return user_error(
          fmt::format("{} does not replace {}, so it is lost after the step", name_of(to), name_of(from)));
    }
    return {};
  }

  // The input whose numbers an output only shows again: a view, or a weight looked at in another order.
  ValueId seen_through(const Operation& operation, size_t output) const {
    const bool view = operation.op && operation.op->storage == Storage::view;
    if (!operation.op || (output != 0 && !view) || operation.inputs.empty() || !operation.inputs[0].present())
      return {};
    const ValueId result = operation.outputs[output], from = operation.inputs[0];
    if (!program_.value(result).storage.present() || root(result) != root(from)) return {};
    const bool looks = operation.op->kind == OpKind::movement && !operation.op->cost;
    return view || looks ? from : ValueId{};
  }

  // A running mean, a sum of gradients: the operation itself says that this output is the next contents of an input.
  static bool keeps_up_to_date(const Operation& operation, size_t output) {
    if (!operation.op) return false;
    return std::any_of(operation.op->updates.begin(), operation.op->updates.end(),
                       [&](const InputUpdate& update) { return update.output == output; });
  }

  Status check_write(const Operation& operation, size_t output, int64_t index) {
    const ValueId id = operation.outputs[output], into = root(id), from = seen_through(operation, output);
    if (from.present()) {
      content_[size_t(id.index)] = content_[size_t(from.index)];
      return {};
    }
    const Role role = program_.value(into).role;
    const bool weights = role == Role::parameter || program_.value(id).role == Role::parameter;
    const bool stored = weights || role == Role::input || role == Role::constant;
    if (operation.phase != Phase::update && stored && !keeps_up_to_date(operation, output))
      return user_error(fmt::format("it writes {} over {}, and only an update may", name_of(id), name_of(into)));
    if (int64_t& last = last_writer_[size_t(into.index)]; last != index) {
      last = index;
    } else {
      return user_error(
          fmt::format("it writes {} and {} to the same memory", name_of(holds_[size_t(into.index)]), name_of(id)));
    }
    content_[size_t(id.index)] = holds_[size_t(into.index)] = id;
    return {};
  }

  // A training reads its loss and its first output; the others may be left out, or overwritten on the backward
  // pass. One that is a
  // view of a parameter shows what the update made of it.
  bool may_be_gone(ValueId id) const {
    if (is_given(root(id))) return true;
    return program_.loss.present() && id != program_.loss && id != program_.outputs.at(0);
  }

  Status check_ends() const {
    std::set<ValueId> ends(program_.outputs.begin(), program_.outputs.end());
    if (program_.loss.present()) ends.insert(program_.loss);
    for (const ValueId id : ends) {
      if (writer_[size_t(id.index)] == kNever && !is_given(id) && !may_be_gone(id))
        return user_error(fmt::format("the output {} is never written", name_of(id)));
      if (holds_[size_t(root(id).index)] != content_[size_t(id.index)] && !may_be_gone(id))
        return user_error(fmt::format("the output {} is overwritten before the step ends", name_of(id)));
    }
    for (const auto& operation : program_.operations)
      if (operation.phase == Phase::backward && !program_.loss.present())
        return user_error("there is a backward pass but no loss");
    return {};
  }

  const Program& program_;
  std::vector<int64_t> writer_;       // the operation that writes a value
  std::vector<ValueId> content_;      // what a value's numbers are: its own, or those of the value that it is a view of
  std::vector<int64_t> last_writer_;  // the operation that wrote to a value's memory last
  std::vector<ValueId> roots_;        // whose memory each value lies in
  std::vector<ValueId> holds_;        // the content that is in a value's memory now
};

}  // namespace

Status validate(const Program& program) { return Checker(program).run(); }

}  // namespace plimsoll
