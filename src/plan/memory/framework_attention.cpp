#include "plan/memory/framework_attention.h"

#include <optional>
#include <set>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_attention(const OpCall& call) {
  const Shape &q = call.shape(0), &v = call.shape(2);
  if (q.rank() < 3 || v.rank() != q.rank() || call.shape(1).rank() != q.rank())
    return user_error("queries, keys and values are not stacks of matrices");
  Shape out = q, rows = q;
  out[q.rank() - 1] = v[v.rank() - 1];
  rows[q.rank() - 1] = 1;
  return std::vector{TensorType{call.dtype(0), out}, TensorType{DType::f32, rows}};
}

// Of one of the two products.
Count product(const OpCall& call, size_t q, size_t v) {
  return call.shape(q).elements() * call.shape(v)[call.shape(v).rank() - 2];
}

Cost products(Count one, int64_t times) { return {as<Macs>(one * times), as<Flops>(one * (2 * times))}; }

Cost cost_attention(const OpCall& call) { return products(product(call, 0, 2), 2); }

// The scores again, and two gradients of each product.
Cost cost_attention_grad(const OpCall& call) { return products(product(call, 1, 3), 5); }

Result<std::vector<TensorType>> infer_attention_grad(const OpCall& call) {
  return std::vector{call.type(1), call.type(2), call.type(3)};
}

void gradient_attention(Backward& backward) {
  const auto gradients = backward.emit(fused_attention_grad_op(),
                                       {backward.gradient(), backward.input(0), backward.input(1), backward.input(2),
                                        backward.output(0), backward.output(1)},
                                       {}, 3);
  for (size_t i = 0; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

// The chain from the scores' product to that of the values, as indices of operations.
struct Chain {
  size_t scores, softmax, values;
  std::vector<size_t> between;  // views, and the mask's sum
  ValueId mask;                 // absent: there is none
};

class Fusion {
 public:
  explicit Fusion(Program& program) : program_(program), uses_(program) {}

  int64_t run() {
    std::vector<Chain> chains;
    for (size_t i = 0; i < program_.operations.size(); ++i)
      if (auto chain = chain_at(i)) chains.push_back(std::move(*chain));
    if (chains.empty()) return 0;
    std::vector<bool> gone(program_.operations.size());
    for (const Chain& chain : chains) fuse(chain, gone);
    remove_operations(program_, gone);
    return int64_t(chains.size());
  }

 private:
  bool is(size_t i, std::string_view name) const { return program_.operations[i].op_name == name; }

  std::optional<size_t> producer(ValueId id) const {
    const int64_t found = id.present() ? uses_.producer(id) : Uses::kNobody;
    return found == Uses::kNobody ? std::nullopt : std::optional(size_t(found));
  }

  // Whether it is computed from parameters.
  bool is_learned(ValueId id) const {
    std::vector<ValueId> open{id};
    std::set<int32_t> seen;
    while (!open.empty()) {
      const ValueId at = open.back();
      open.pop_back();
      if (!at.present() || !seen.insert(at.index).second) continue;
      if (program_.value(at).role == Role::parameter) return true;
      if (const auto from = producer(at))
        for (const ValueId input : program_.operations[*from].inputs) open.push_back(input);
    }
    return false;
  }

  // From the product with the values back to that of the scores; every link is read once.
  std::optional<Chain> chain_at(size_t i) const {
    if (!is(i, "matmul")) return std::nullopt;
    Chain chain{.scores = 0, .softmax = 0, .values = i, .between = {}, .mask = {}};
    ValueId at = program_.operations[i].inputs[0];
    bool past_softmax = false;
    while (true) {
      const auto from = producer(at);
      if (!from || uses_.reads(at) != 1) return std::nullopt;
      const Operation& operation = program_.operations[*from];
      if (past_softmax && operation.op_name == "matmul") {
        chain.scores = *from;
        return chain;
      }
      if (operation.op_name == "softmax" && !past_softmax) {
        past_softmax = true;
        chain.softmax = *from;
      } else if (past_softmax && operation.op_name == "add" && !chain.mask.present() &&
                 !is_learned(operation.inputs[1])) {
        chain.mask = operation.inputs[1];
        chain.between.push_back(*from);
      } else if ((operation.op && operation.op->storage == Storage::view) || operation.op_name == "dropout") {
        chain.between.push_back(*from);
      } else {
        return std::nullopt;
      }
      at = operation.inputs[0];
    }
  }

  void fuse(const Chain& chain, std::vector<bool>& gone) {
    const std::vector<ValueId> queries_keys = program_.operations[chain.scores].inputs;
    Operation& operation = program_.operations[chain.values];
    Operation fused;
    fused.op = &fused_attention_op();
    fused.op_name = fused.op->name;
    fused.name = operation.name;
    fused.repeat = operation.repeat;
    fused.inputs = {queries_keys[0], queries_keys[1], operation.inputs[1]};
    if (chain.mask.present()) fused.inputs.push_back(chain.mask);
    fused.outputs = {operation.outputs[0], program_.add({operation.name + ".rows", Role::activation, {}, nullptr})};
    OpCall call = call_of(program_, fused);
    auto types = infer(*fused.op, call);
    if (!types.ok()) return;
    for (size_t i = 0; i < 2; ++i) program_.value(fused.outputs[i]).type = (*types)[i];
    call.outputs = std::move(types).value();
    fused.cost = fused.op->cost(call);
    fused.moved = bytes_moved(*fused.op, call);
    program_.operations[chain.values] = std::move(fused);
    gone[chain.scores] = gone[chain.softmax] = true;
    for (const size_t i : chain.between) gone[i] = true;
    for (size_t i = 0; i < 3; ++i) read_in_place(program_.operations[chain.values].inputs[i]);
  }

  // The kernel reads with strides and scales as it reads: what only turns or scales its inputs costs nothing.
  void read_in_place(ValueId id) {
    for (auto from = producer(id); from && uses_.reads(id) == 1; from = producer(id)) {
      Operation& operation = program_.operations[*from];
      const bool turns = operation.op_name == "transpose", scales = operation.op_name == "mul";
      if (!turns && !scales) return;
      operation.moved = Bytes(0);
      id = operation.inputs[0];
    }
  }

  Program& program_;
  Uses uses_;
};

}  // namespace

const Op& fused_attention_op() {
  static const Op op{.name = "fused_attention",
                     .onnx = {},
                     .roles = "x",
                     .required_inputs = 3,
                     .infer = infer_attention,
                     .cost = cost_attention,
                     .gradient = gradient_attention};
  return op;
}

const Op& fused_attention_grad_op() {
  static const Op op{.name = "fused_attention_grad",
                     .onnx = {},
                     .required_inputs = 6,
                     .infer = infer_attention_grad,
                     .cost = cost_attention_grad};
  return op;
}

int64_t fuse_attention(Program& forward) { return Fusion(forward).run(); }

}  // namespace plimsoll
