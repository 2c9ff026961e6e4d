#include "plan/memory/framework_kernels.h"

#include <algorithm>
#include <optional>

#include "model/ops/all_ops.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

// Finds patterns by their last operation and looks back. Every link but the first input is read inside the pattern
// only.
class Finder {
 public:
  explicit Finder(Program& program) : program_(program), uses_(program), gone_(program.operations.size()) {}

  int64_t run() {
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const bool done = silu(i) || mish(i) || gelu(i) || layer_norm(i) || group_norm(i);
      found_ += done ? 1 : 0;
    }
    if (found_ > 0) remove_operations(program_, gone_);
    return found_;
  }

 private:
  const Operation& operation(size_t i) const { return program_.operations[i]; }
  bool is(size_t i, std::string_view name) const {
    return operation(i).op_name == name && operation(i).certainty == Certainty::exact;
  }

  // The operation of that name that writes a value which so many read.
  std::optional<size_t> from(ValueId id, std::string_view name, int reads = 1) const {
    if (!id.present() || uses_.reads(id) != reads) return std::nullopt;
    const int64_t found = uses_.producer(id);
    if (found == Uses::kNobody || gone_[size_t(found)] || !is(size_t(found), name)) return std::nullopt;
    return size_t(found);
  }

  ValueId input(size_t i, size_t k) const {
    return k < operation(i).inputs.size() ? operation(i).inputs[k] : ValueId{};
  }

  bool is_number(ValueId id) const {
    const auto& type = id.present() ? program_.value(id).type : std::nullopt;
    return type && type->elements() == Count(1);
  }
  bool is_stored(ValueId id) const { return id.present() && program_.value(id).role == Role::parameter; }

  // The factors of a product, the one that passes the question first.
  template <class Question>
  bool factors(size_t i, Question&& is_first, ValueId& first, ValueId& second) const {
    for (const size_t k : {size_t{0}, size_t{1}}) {
      first = input(i, k);
      second = input(i, 1 - k);
      if (first.present() && second.present() && is_first(first)) return true;
    }
    return false;
  }

  bool replace(size_t last, std::string_view op, std::vector<ValueId> inputs, Attributes attributes,
               const std::vector<size_t>& parts) {
    Operation made = operation(last);
    made.op = &op_named(op);
    made.op_name = made.op->name;
    made.inputs = std::move(inputs);
    made.attributes = std::move(attributes);
    OpCall call = call_of(program_, made);
    auto types = infer(*made.op, call);
    const auto& type = program_.value(made.outputs[0]).type;
    if (!types.ok() || !type || (*types)[0].shape != type->shape) return false;
    types->resize(1);
    call.outputs = std::move(types).value();
    if (made.op->cost) made.cost = made.op->cost(call);
    made.moved = bytes_moved(*made.op, call);
    program_.operations[last] = std::move(made);
    for (const size_t part : parts) gone_[part] = true;
    return true;
  }

  // x · sigmoid(x)
  bool silu(size_t i) {
    if (!is(i, "mul")) return false;
    ValueId gate, x;
    if (!factors(
            i, [&](ValueId id) { return from(id, "sigmoid").has_value(); }, gate, x))
      return false;
    const size_t sigmoid = *from(gate, "sigmoid");
    return input(sigmoid, 0) == x && replace(i, "silu", {x}, {}, {sigmoid});
  }

  // x · tanh(softplus(x))
  bool mish(size_t i) {
    if (!is(i, "mul")) return false;
    ValueId gate, x;
    if (!factors(
            i, [&](ValueId id) { return from(id, "tanh").has_value(); }, gate, x))
      return false;
    const size_t tanh = *from(gate, "tanh");
    const auto softplus = from(input(tanh, 0), "softplus");
    return softplus && input(*softplus, 0) == x && replace(i, "mish", {x}, {}, {tanh, *softplus});
  }

  // ½ · x · (1 + erf(x / √2)), the half wherever.
  bool gelu(size_t i) {
    if (!is(i, "mul")) return false;
    ValueId half, rest;
    std::vector<size_t> parts;
    size_t product = i;
    if (factors(
            i, [&](ValueId id) { return is_number(id); }, half, rest)) {
      const auto inner = from(rest, "mul");
      if (!inner) return false;
      parts.push_back(*inner);
      product = *inner;
    }
    ValueId sum, x;
    if (!factors(
            product, [&](ValueId id) { return from(id, "add").has_value(); }, sum, x))
      return false;
    const size_t add = *from(sum, "add");
    ValueId one, bent;
    if (!factors(
            add, [&](ValueId id) { return is_number(id); }, one, bent))
      return false;
    const auto erf = from(bent, "erf");
    if (!erf) return false;
    auto scaled = from(input(*erf, 0), "div");
    if (!scaled) scaled = from(input(*erf, 0), "mul");
    if (!scaled || !is_number(input(*scaled, 1))) return false;
    parts.insert(parts.end(), {add, *erf, *scaled});
    if (input(*scaled, 0) != x) {  // the half is on x itself
      const auto halved = from(x, "mul");
      if (!halved || product != i || input(*halved, 0) != input(*scaled, 0)) return false;
      parts.push_back(*halved);
    }
    return replace(i, "gelu", {input(*scaled, 0)}, {}, parts);
  }

  // (x - mean) / √(mean of squares + ε) · scale + shift
  bool layer_norm(size_t i) {
    if (!is(i, "add")) return false;
    ValueId shift, product;
    if (!factors(
            i, [&](ValueId id) { return is_stored(id); }, shift, product))
      return false;
    const auto mul = from(product, "mul");
    ValueId scale, ratio;
    if (!mul || !factors(
                    *mul, [&](ValueId id) { return is_stored(id); }, scale, ratio))
      return false;
    const auto div = from(ratio, "div");
    if (!div) return false;
    const auto root = from(input(*div, 1), "sqrt");
    const auto sub = from(input(*div, 0), "sub", 2);
    const auto sum = root ? from(input(*root, 0), "add") : std::nullopt;
    const auto variance = sum ? from(input(*sum, 0), "reduce_mean") : std::nullopt;
    const auto square = variance ? from(input(*variance, 0), "pow") : std::nullopt;
    if (!sub || !square || input(*square, 0) != input(*div, 0)) return false;
    const auto mean = from(input(*sub, 1), "reduce_mean");
    if (!mean || input(*mean, 0) != input(*sub, 0)) return false;
    const auto& scale_type = program_.value(scale).type;
    if (!scale_type || scale_type->shape.rank() != 1) return false;
    return replace(i, "layer_norm", {input(*sub, 0), scale, shift}, {{"axis", int64_t{-1}}},
                   {*mul, *div, *root, *sum, *variance, *square, *sub, *mean});
  }

  // Groups as one axis, an instance norm over them, apart again, scale and shift.
  bool group_norm(size_t i) {
    if (!is(i, "add")) return false;
    ValueId shift, product;
    if (!factors(
            i, [&](ValueId id) { return is_stored(id) || is_reshaped(id); }, shift, product))
      return false;
    const auto mul = from(product, "mul");
    ValueId scale, normed;
    if (!mul || !factors(
                    *mul, [&](ValueId id) { return is_stored(id) || is_reshaped(id); }, scale, normed))
      return false;
    const auto apart = from(normed, "reshape");
    const auto norm = apart ? from(input(*apart, 0), "instance_norm") : std::nullopt;
    const auto together = norm ? from(input(*norm, 0), "reshape") : std::nullopt;
    if (!together) return false;
    const ValueId x = input(*together, 0);
    const Shape& grouped = program_.value(input(*norm, 0)).type->shape;
    const Shape& wide = program_.value(x).type->shape;
    if (grouped.rank() != 3 || wide.rank() < 2) return false;
    const ValueId factors_of[] = {vector_of(scale, wide[1]), vector_of(shift, wide[1])};
    if (!factors_of[0].present() || !factors_of[1].present()) return false;
    return replace(i, "group_norm", {x, factors_of[0], factors_of[1]}, {{"num_groups", grouped[1]}},
                   {*mul, *apart, *norm, *together});
  }

  // A cast to the format that it has already.
  bool casts_nothing(const Operation& made) const {
    return made.op_name == "cast" && program_.value(made.inputs[0]).type == program_.value(made.outputs[0]).type;
  }

  // What a value is a view of.
  ValueId seen(ValueId id) const {
    for (int64_t found = id.present() ? uses_.producer(id) : Uses::kNobody; found != Uses::kNobody;
         found = uses_.producer(id)) {
      const Operation& made = operation(size_t(found));
      if (!made.op || made.inputs.empty() || !made.inputs[0].present()) break;
      if (made.op->storage != Storage::view && !casts_nothing(made)) break;
      id = made.inputs[0];
    }
    return id;
  }

  bool is_reshaped(ValueId id) const { return is_stored(seen(id)); }

  // The parameter of one number a channel, maybe behind a view, or one that is stored as channels × 1 × 1.
  ValueId vector_of(ValueId id, int64_t channels) {
    id = seen(id);
    auto& type = program_.value(id).type;
    if (!type || type->elements() != Count(channels)) return {};
    if (type->shape.rank() == 1) return id;
    if (uses_.reads(id) != 1) return {};
    type->shape = Shape{channels};
    return id;
  }

  Program& program_;
  const Uses uses_;
  std::vector<bool> gone_;
  int64_t found_ = 0;
};

}  // namespace

int64_t single_kernels(Program& forward) { return Finder(forward).run(); }

}  // namespace plimsoll
