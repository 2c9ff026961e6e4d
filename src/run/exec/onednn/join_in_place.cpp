#include "run/exec/onednn/join_in_place.h"

#include "base/shape.h"
#include "plan/memory/pack.h"

namespace plimsoll {
namespace {

class Joiner {
 public:
  explicit Joiner(OnednnLowered& lowered)
      : lowered_(lowered), program_(lowered.program), uses_(program_.values.size()) {
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      for (const ValueId id : program_.operations[i].inputs)
        if (id.present()) use(id).last_read = i;
      for (const ValueId id : program_.operations[i].outputs)
        if (id.present()) use(id).written = true;
    }
    for (const ValueId id : program_.outputs) use(id).shared = true;
    if (program_.loss.present()) use(program_.loss).shared = true;
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].storage.present()) uses_[i].shared = use(program_.values[i].storage).shared = true;
  }

  // The last first: a whole that is itself a piece knows its place by then.
  void run() {
    for (size_t i = program_.operations.size(); i-- > 0;) {
      const Operation& operation = program_.operations[i];
      if (operation.op->name == "concat" && lowered_.kernels[i] && in_one_row(operation)) join(operation, i);
    }
  }

 private:
  struct Use {
    size_t last_read = 0;
    bool written = false;  // in this step
    bool shared = false;   // with other values, or with who asked for it
  };
  Use& use(ValueId id) { return uses_[size_t(id.index)]; }
  Bytes bytes(ValueId id) const { return bytes_of(*lowered_.layouts[size_t(id.index)], *program_.value(id).type); }

  // Nothing is in front of the joined axis, in memory either.
  bool in_one_row(const Operation& concat) const {
    const ValueId whole = concat.outputs[0];
    const Shape& shape = program_.value(whole).type->shape;
    const auto& layout = lowered_.layouts[size_t(whole.index)];
    if (!layout || is_channels_last(*layout, shape)) return false;
    const auto axis = normalise_axis(concat.attributes.integer("axis", 1), shape.rank());
    return axis.ok() && shape.elements(0, *axis) == Count(1);
  }

  void join(const Operation& concat, size_t index) {
    const ValueId whole = concat.outputs[0];
    const auto outer = lowered_.offsets.find(whole);
    const Bytes start = outer == lowered_.offsets.end() ? Bytes(0) : outer->second;
    Bytes at(0);
    for (const ValueId id : concat.inputs) {
      if (is_free(id, index) && at.value() % kAlignment == 0) {
        program_.value(id).storage = whole;
        lowered_.offsets[id] = start + at;
        use(id).shared = true;
      }
      at += bytes(id);
    }
  }

  // Whether nobody minds where it is: nobody reads it after the concat.
  bool is_free(ValueId id, size_t concat) {
    return use(id).written && !use(id).shared && use(id).last_read == concat &&
           program_.value(id).role == Role::activation;
  }

  OnednnLowered& lowered_;
  Program& program_;
  std::vector<Use> uses_;
};

}  // namespace

void join_in_place(OnednnLowered& lowered) { Joiner(lowered).run(); }

}  // namespace plimsoll
