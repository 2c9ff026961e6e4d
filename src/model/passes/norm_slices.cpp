#include "model/passes/norm_slices.h"

#include <algorithm>
#include <numeric>

#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_pieces.h"
#include "model/ops/batch_norm_slice.h"
#include "model/ops/batch_norm_training.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

class NormSlices {
 public:
  explicit NormSlices(Program& program)
      : program_(program), uses_(program), reader_(program.values.size(), 0), gone_(program.operations.size(), false) {
    for (size_t i = 0; i < program.operations.size(); ++i)
      for (const ValueId id : program.operations[i].inputs)
        if (id.present()) reader_[size_t(id.index)] = i;
  }

  int64_t run() {
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation operation = program_.operations[i];  // a copy: what follows changes the program
      if (!operation.op || operation.repeat != Count(1)) continue;
      if (operation.op->name == "concat" && along_channels(operation, 1)) write_slices(operation, i);
      if (operation.op->name == "split" && along_channels(operation, 0)) read_slices(operation, i);
    }
    return remove_operations(program_, gone_);
  }

 private:
  const Shape& shape(ValueId id) const { return program_.value(id).type->shape; }

  bool along_channels(const Operation& operation, int64_t usual) const {
    for (const ValueId id : operation.inputs)
      if (!id.present() || !program_.value(id).type) return false;
    const int rank = shape(operation.inputs[0]).rank();
    return rank >= 2 && *normalise_axis(operation.attributes.integer("axis", usual), rank) == 1;
  }

  // A norm of this step whose result goes nowhere but into the concat.
  bool is_slice(ValueId id) const {
    const int64_t producer = uses_.producer(id);
    if (producer == Uses::kNobody || uses_.reads(id) != 1) return false;
    const Operation& norm = program_.operations[size_t(producer)];
    const bool relu = norm.then && norm.then->activation == ActivationKind::relu;
    return norm.op == &batch_norm_train() && norm.attributes.integer("ghost", 0) == 0 && norm.outputs[0] == id &&
           (!norm.then || relu);
  }

  struct Slice {
    size_t norm;  // the operation
    int64_t first;
  };

  void write_slices(const Operation& concat, size_t index) {
    std::vector<Slice> slices;
    int64_t channels = 0, grain = 0;
    for (const ValueId id : concat.inputs) {
      if (!is_slice(id)) return;
      slices.push_back({size_t(uses_.producer(id)), channels});
      grain = std::gcd(grain, shape(id)[1]);
      channels += shape(id)[1];
    }
    std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.norm < b.norm; });
    ValueId whole;
    for (size_t k = 0; k < slices.size(); ++k) {
      Operation& norm = program_.operations[slices[k].norm];
      become(norm, batch_norm_slice_train());
      norm.inputs.push_back(whole);
      whole = k + 1 == slices.size() ? concat.outputs[0] : program_.add(program_.value(concat.outputs[0]));
      norm.outputs[0] = whole;
      norm.attributes.set("channels", channels);
      norm.attributes.set("first", slices[k].first);
      norm.attributes.set("grain", grain);
      if (norm.then) norm.attributes.set("activation", std::string("Relu"));
      norm.then = nullptr;
    }
    gone_[index] = true;
  }

  // Each piece that a backward pass alone reads is left out of the split.
  void read_slices(const Operation& split, size_t index) {
    int64_t first = 0, left = 0;
    const auto sizes = split.attributes.integers("split");
    if (sizes.size() != split.outputs.size()) return;
    for (size_t k = 0; k < sizes.size(); first += sizes[k++]) {
      const ValueId piece = split.outputs[k];
      if (!piece.present() || uses_.reads(piece) == 0) continue;
      Operation& grad = program_.operations[reader_[size_t(piece.index)]];
      const bool reads = uses_.reads(piece) == 1 && grad.inputs[0] == piece;
      if (reads && grad.op == &batch_norm_grad()) to_pieces(grad);
      if (!reads || grad.op != &batch_norm_pieces_grad()) {
        ++left;
        continue;
      }
      grad.inputs[0] = split.inputs[0];
      grad.attributes.set("first", first);
      program_.operations[index].outputs[k] = {};
    }
    gone_[index] = left == 0;
  }

  // One piece that is added to nothing.
  void to_pieces(Operation& grad) {
    const auto in = grad.inputs, out = grad.outputs;
    grad.inputs = {in[0], in[2], in[3], in[4], in.size() > 5 ? in[5] : ValueId{}, in[1], ValueId{}};
    grad.outputs = {out[1], out[2], out[0]};
    become(grad, batch_norm_pieces_grad());
  }

  // What was fused into it stays a part of its name.
  static void become(Operation& operation, const Op& op) {
    operation.op_name = op.name;
    operation.op = &op;
  }

  Program& program_;
  const Uses uses_;
  std::vector<size_t> reader_;  // the last operation that reads a value
  std::vector<bool> gone_;
};

}  // namespace

int64_t norm_slices(Program& program) { return NormSlices(program).run(); }

}  // namespace plimsoll
