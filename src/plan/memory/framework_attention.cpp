#include "plan/memory/framework_attention.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_attention(const OpCall& call) {
  const Shape &q = call.shape(0), &v = call.shape(2);
  if (q.rank() < 3 || v.rank() < q.rank() || call.shape(1).rank() < q.rank())
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
  std::vector types{call.type(1), call.type(2), call.type(3)};
  if (call.has(6)) types.push_back(call.type(6));
  return types;
}

void gradient_attention(Backward& backward) {
  const size_t inputs = backward.wants(3) ? 4 : 3;  // a mask that is learned is an input like the others
  const auto gradients = backward.emit(fused_attention_grad_op(),
                                       {backward.gradient(), backward.input(0), backward.input(1), backward.input(2),
                                        backward.output(0), backward.output(1), backward.input(3)},
                                       {}, inputs);
  for (size_t i = 0; i < inputs; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

const Op& transpose_in_place() {
  static const Op op = [] {
    Op transpose = op_named("transpose");
    transpose.storage = Storage::view;
    return transpose;
  }();
  return op;
}

constexpr size_t kLongestChain = 16;  // links between the two products

// The chain from the scores' product to that of the values, as indices of operations.
struct Chain {
  size_t scores, softmax, values;
  std::vector<size_t> between;  // views, scales, and what puts the mask in
  ValueId mask;                 // absent: there is none, or it only hides later positions
};

class Fusion {
 public:
  Fusion(Program& program, AttentionKernel kernel)
      : program_(program), uses_(program), kernel_(kernel), learned_(program.values.size()) {
    for (size_t i = 0; i < learned_.size(); ++i) learned_[i] = program.values[i].role == Role::parameter;
    reader_.resize(program.values.size(), program.operations.size());
    for (size_t i = 0; i < program.operations.size(); ++i) {
      const Operation& operation = program.operations[i];
      for (const ValueId id : operation.inputs)
        if (id.present()) reader_[size_t(id.index)] = i;
      const bool any = std::any_of(operation.inputs.begin(), operation.inputs.end(),
                                   [&](ValueId id) { return id.present() && learned_[size_t(id.index)]; });
      for (const ValueId id : operation.outputs)
        if (any && id.present()) learned_[size_t(id.index)] = true;
    }
  }

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

  bool is_number(ValueId id) const {
    const auto& type = id.present() ? program_.value(id).type : std::nullopt;
    return type && type->elements() == Count(1);
  }

  // Hides what comes later and nothing else: the kernel knows that without a mask.
  bool is_causal(ValueId mask) const {
    const auto from = producer(mask);
    return from && is(*from, "trilu");
  }

  // softmax → is_nan → where(it is, 0, softmax): rows that see nothing. PyTorch's kernels do it by themselves.
  std::optional<ValueId> before_nan_guard(const Operation& where, std::vector<size_t>& between) const {
    if (where.inputs.size() != 3) return std::nullopt;
    const auto question = producer(where.inputs[0]);
    if (!question || !is(*question, "is_nan")) return std::nullopt;
    const ValueId asked = program_.operations[*question].inputs[0];
    if (asked != where.inputs[2] || uses_.reads(asked) != 2) return std::nullopt;
    between.push_back(*question);
    return asked;
  }

  std::optional<Chain> chain_at(size_t i) const {
    if (!is(i, "matmul")) return std::nullopt;
    Chain chain{.scores = 0, .softmax = 0, .values = i, .between = {}, .mask = {}};
    return to_softmax(chain) ? std::optional(std::move(chain)) : std::nullopt;
  }

  // From the product with the values back to the softmax; every link is read once.
  bool to_softmax(Chain& chain) const {
    ValueId at = program_.operations[chain.values].inputs[0];
    int reads = 1;
    while (const auto from = producer(at)) {
      const Operation& operation = program_.operations[*from];
      if (uses_.reads(at) != reads || chain.between.size() > kLongestChain) return false;
      if (operation.op_name == "softmax") {
        chain.softmax = *from;
        return may_fuse(operation) && to_scores(chain, operation.inputs[0]);
      }
      chain.between.push_back(*from);
      if (operation.op_name == "where") {
        const auto guarded = before_nan_guard(operation, chain.between);
        if (!guarded || reads != 1) return false;
        at = *guarded;
        reads = 2;  // by the guard, and by its question
      } else if (passes_through(operation) && reads == 1) {
        at = operation.inputs[0];
      } else {
        return false;
      }
    }
    return false;
  }

  // Files say of each softmax whether PyTorch's own kernel was asked for where they came from.
  bool may_fuse(const Operation& softmax) const {
    return kernel_ != AttentionKernel::as_it_is || softmax.attributes.integer("eager", 0) == 0;
  }

  static bool passes_through(const Operation& operation) {
    return (operation.op && operation.op->storage == Storage::view) || operation.op_name == "dropout" ||
           operation.op_name == "cast";
  }

  // From the softmax back to the scores' product.
  bool to_scores(Chain& chain, ValueId at) const {
    const auto from = producer(at);
    if (!from || uses_.reads(at) != 1 || chain.between.size() > kLongestChain) return false;
    const Operation& operation = program_.operations[*from];
    if (operation.op_name == "matmul") {
      chain.scores = *from;
      return true;
    }
    const size_t before = chain.between.size();
    chain.between.push_back(*from);
    if (passes_through(operation)) return to_scores(chain, operation.inputs[0]);
    const bool scales = (operation.op_name == "mul" || operation.op_name == "div") && is_number(operation.inputs[1]);
    if (scales) return to_scores(chain, operation.inputs[0]);
    if (operation.op_name == "mul" && is_number(operation.inputs[0])) return to_scores(chain, operation.inputs[1]);
    if (chain.mask.present()) return false;
    if (operation.op_name == "where") {  // seen, scores, what hides
      chain.mask = operation.inputs[0];
      return to_scores(chain, operation.inputs[1]) ||
             (chain.between.resize(before + 1), to_scores(chain, operation.inputs[2]));
    }
    if (operation.op_name != "add") return false;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      chain.mask = operation.inputs[1 - i];
      chain.between.resize(before + 1);
      if (may_be_mask(chain.mask) && to_scores(chain, operation.inputs[i])) {
        if (is_causal(chain.mask)) chain.mask = {};
        return true;
      }
    }
    chain.mask = {};
    return false;
  }

  bool may_be_mask(ValueId id) const {
    return id.present() && (kernel_ != AttentionKernel::as_it_is || !learned_[size_t(id.index)]);
  }

  void fuse(const Chain& chain, std::vector<bool>& gone) {
    const std::vector<ValueId> queries_keys = program_.operations[chain.scores].inputs;
    Operation& operation = program_.operations[chain.values];
    Operation fused;
    fused.op = &fused_attention_op();
    fused.op_name = fused.op->name;
    fused.name = operation.name;
    fused.repeat = operation.repeat;
    fused.inputs = {unscaled(queries_keys[0], gone), unscaled(not_repeated(queries_keys[1]), gone),
                    not_repeated(operation.inputs[1])};
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
    if (are_turned(queries_keys[0])) lay_out_as_queries(program_.operations[chain.values].outputs[0]);
  }

  // Exporters scale queries and keys, the kernel its scores: it is given, and keeps, what was there before.
  ValueId unscaled(ValueId id, std::vector<bool>& gone) const {
    const auto from = producer(id);
    if (!from || uses_.reads(id) != 1) return id;
    const Operation& operation = program_.operations[*from];
    if (operation.op_name != "mul" && operation.op_name != "div") return id;
    const bool first = is_number(operation.inputs[0]);
    if ((first && operation.op_name == "div") || (!first && !is_number(operation.inputs[1]))) return id;
    gone[*from] = true;
    return operation.inputs[first ? 1 : 0];
  }

  // Whether queries lie in memory as the layer before has written them, heads side by side. What is computed from them
  // number by number lies as they do; what is joined lies as it is read, and so does a contiguous copy of what is
  // turned, which exporters write as an identity.
  bool are_turned(ValueId id) const {
    for (size_t links = 0; links < kLongestChain; ++links) {
      const auto from = producer(id);
      if (!from || is(*from, "concat") || program_.operations[*from].inputs.empty()) return false;
      if (is(*from, "transpose")) return program_.operations[*from].attributes.integer("copied", 0) == 0;
      id = program_.operations[*from].inputs[0];
    }
    return false;
  }

  // Keys and values that several heads share are given to the kernel once: what was there before heads were repeated.
  ValueId not_repeated(ValueId id) const {
    ValueId at = id;
    for (size_t links = 0; links < kLongestChain; ++links) {
      const auto from = producer(at);
      if (!from || uses_.reads(at) != 1) return id;
      const Operation& operation = program_.operations[*from];
      if (operation.op_name == "expand") return repeats_heads(operation) ? operation.inputs[0] : id;
      const bool scales = (operation.op_name == "mul" || operation.op_name == "div") && is_number(operation.inputs[1]);
      if (!passes_through(operation) && operation.op_name != "transpose" && !scales) return id;
      at = operation.inputs[0];
    }
    return id;
  }

  // (batch, heads, 1, sequence, head) → (batch, heads, times, sequence, head)
  bool repeats_heads(const Operation& expand) const {
    const auto &from = program_.value(expand.inputs[0]).type, &to = program_.value(expand.outputs[0]).type;
    if (!from || !to || from->shape.rank() != 5 || to->shape.rank() != 5 || from->shape[2] != 1) return false;
    for (const int axis : {0, 1, 3, 4})
      if (from->shape[axis] != to->shape[axis]) return false;
    return true;
  }

  // The kernel writes its output in the order of the queries, so that to put heads side by side again is a view.
  void lay_out_as_queries(ValueId output) {
    for (size_t links = 0; links < kLongestChain; ++links) {
      const size_t reader = reader_[size_t(output.index)];
      if (uses_.reads(output) != 1 || reader >= program_.operations.size()) return;
      Operation& operation = program_.operations[reader];
      if (operation.op_name == "transpose") {
        operation.op = &transpose_in_place();
        operation.moved = Bytes(0);
        return;
      }
      if (!operation.op || operation.op->storage != Storage::view) return;
      output = operation.outputs[0];
    }
  }

  // The kernel reads with strides and scales as it reads: what only turns or scales its inputs costs nothing. What is
  // turned stays where it is, with all that it is part of.
  void read_in_place(ValueId id) {
    for (auto from = producer(id); from && uses_.reads(id) == 1; from = producer(id)) {
      Operation& operation = program_.operations[*from];
      const bool turns = operation.op_name == "transpose",
                 scales = operation.op_name == "mul" || operation.op_name == "div",
                 looks = operation.op && operation.op->storage == Storage::view;
      if (!turns && !scales && !looks) return;
      if (turns) operation.op = &transpose_in_place();
      operation.moved = Bytes(0);
      id = operation.inputs[0];
    }
  }

  Program& program_;
  Uses uses_;
  AttentionKernel kernel_;
  std::vector<bool> learned_;   // values that are computed from parameters
  std::vector<size_t> reader_;  // the last operation that reads a value
};

}  // namespace

const Op& fused_attention_op() {
  static const Op op{.name = "fused_attention",
                     .kind = OpKind::fused_attention,
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
                     .kind = OpKind::fused_attention_grad,
                     .onnx = {},
                     .required_inputs = 6,
                     .infer = infer_attention_grad,
                     .cost = cost_attention_grad};
  return op;
}

namespace {

// Attention that stands in a file of transformers as one operation: the scores are not kept, a number for each row is.
// Families for which transformers has no such kernel say so.
int64_t fuse_whole(Program& forward, AttentionKernel kernel) {
  int64_t fused = 0;
  for (auto& operation : forward.operations) {
    if (operation.op_name != "grouped_attention" || operation.attributes.integer("fused", 0) != 0) continue;
    if (kernel == AttentionKernel::as_it_is && operation.attributes.integer("single_operations", 0) != 0) continue;
    operation.attributes.set("fused", int64_t{1});
    OpCall call = call_of(forward, operation);
    auto types = infer(*operation.op, call);
    PLIM_CHECK(types.ok(), "attention has the same inputs in both forms");
    for (size_t i = 0; i < types->size(); ++i)
      if (i < operation.outputs.size() && operation.outputs[i].present())
        forward.value(operation.outputs[i]).type = (*types)[i];
    call.outputs = std::move(types).value();
    operation.cost = operation.op->cost(call);
    operation.moved = bytes_moved(*operation.op, call);
    ++fused;
  }
  return fused;
}

}  // namespace

int64_t fuse_attention(Program& forward, AttentionKernel kernel) {
  if (kernel == AttentionKernel::eager) return 0;
  const int64_t whole = fuse_whole(forward, kernel);
  return whole + Fusion(forward, kernel).run();
}

}  // namespace plimsoll
