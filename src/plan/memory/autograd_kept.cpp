#include "plan/memory/autograd_kept.h"

#include <map>
#include <set>
#include <string_view>

#include "model/ir/backward.h"

namespace plimsoll {
namespace {

constexpr int64_t kF32 = 4, kIndex = 8, kRandomState = 16;

class Kept {
 public:
  Kept(const Program& program, AttentionForm form)
      : program_(program), form_(form), needs_(program.values.size()), root_(program.values.size()) {
    record_.reads.resize(program.operations.size());
    for (size_t i = 0; i < needs_.size(); ++i) {
      const ProgramValue& value = program.values[i];
      needs_[i] = value.role == Role::parameter && value.type && is_floating(value.type->dtype);
      root_[i] = int32_t(i);
    }
  }

  Bytes run(bool with_loss) {
    for (now_ = 0; now_ < program_.operations.size(); ++now_) add(program_.operations[now_]);
    if (with_loss && !program_.outputs.empty()) add_loss(program_.outputs[0]);
    return total_;
  }

  AutogradRecord record() {
    record_.root = std::move(root_);
    record_.needs = std::move(needs_);
    return std::move(record_);
  }

 private:
  bool needs(ValueId id) const { return id.present() && needs_[size_t(id.index)]; }
  const TensorType& type(ValueId id) const { return *program_.value(id).type; }

  // A value as it is, once, however many operations save it; of a part all that it is a view of.
  void save(ValueId id) {
    if (!id.present() || !program_.value(id).type) return;
    const ValueId root{root_[size_t(id.index)]};
    const Role role = program_.value(root).role;
    if (role == Role::parameter || role == Role::buffer) return;
    if (now_ < record_.reads.size()) record_.reads[now_].push_back(root);
    if (saved_.insert(root.index).second) note(root, type(root).bytes(), true);
  }
  void save_numbers(Count numbers, int64_t size, bool of_samples = true) {
    note({}, as<Bytes>(numbers * size), of_samples);
  }
  void note(ValueId value, Bytes bytes, bool of_samples) {
    total_ += bytes;
    record_.saved.push_back({now_, value, bytes, of_samples});
  }
  bool is_half(ValueId id) const { return element_size(type(id).dtype) < size_t(kF32); }

  void add(const Operation& operation) {
    if (!operation.op || operation.outputs.empty() || !operation.outputs[0].present() || !type_is_known(operation))
      return;
    const bool view =
        operation.op->storage == Storage::view || operation.op_name == "transpose" || operation.op_name == "split";
    if (view)
      for (const ValueId id : operation.outputs)
        if (id.present()) root_[size_t(id.index)] = root_[size_t(operation.inputs[0].index)];
    bool reads = false;
    for (const ValueId id : operation.inputs) reads = reads || needs(id);
    if (!reads || operation.op->gradient == no_gradient) return;
    for (const ValueId id : operation.outputs)
      if (id.present()) needs_[size_t(id.index)] = program_.value(id).type && is_floating(type(id).dtype);
    rule(operation);
  }

  bool type_is_known(const Operation& operation) const {
    for (const ValueId id : operation.inputs)
      if (id.present() && !program_.value(id).type) return false;
    return program_.value(operation.outputs[0]).type.has_value();
  }

  void rule(const Operation& o) {
    const std::string_view op = o.op_name;
    if (op == "gather") save(o.inputs[1]);
    else if (op == "linear" || op == "gemm" || op == "matmul" || op == "mul" || op == "conv") save_factors(o);
    else if (op == "rms_norm") rms_norm(o);
    else if (op == "layer_norm" || op == "group_norm") layer_norm(o);
    else if (op == "gelu") gelu(o);
    else if (op == "silu" || op == "softplus" || op == "exp") save(o.inputs[0]);
    else if (op == "quick_gelu") {
      save(o.inputs[0]);
      save_numbers(type(o.inputs[0]).elements(), int64_t(element_size(type(o.inputs[0]).dtype)));
    } else if (op == "relu" || op == "tanh" || op == "sigmoid" || op == "softmax") save(o.outputs[0]);
    else if (op == "rope") rope(o);
    else if (op == "grouped_attention") attention(o);
    else if (op == "dropout") save_numbers(type(o.inputs[0]).elements(), 1);  // which numbers were let through
    else if (op == "relative_bias")
      save_numbers(Count(type(o.outputs[0]).shape[2]) * type(o.outputs[0]).shape[3], kIndex);
    else if (op == "experts") experts(o);
    else if (op == "route_top_k") routing(o);
    else if (op == "selective_scan") scan(o);
    else if (op == "gated_delta_rule")
      for (const ValueId input : o.inputs) save(input);
  }

  // A product saves each factor that the other one's gradient is made from.
  void save_factors(const Operation& o) {
    if (needs(o.inputs[1])) save(o.inputs[0]);
    if (needs(o.inputs[0]) && program_.value(o.inputs[1]).role != Role::constant) save(o.inputs[1]);
  }

  // Written out: the input in f32, its inverse root mean square, and the normalised numbers that the scale multiplies.
  void rms_norm(const Operation& o) {
    const Count numbers = type(o.inputs[0]).elements(),
                rows(numbers.value() / std::max<int64_t>(1, type(o.inputs[1]).elements().value()));
    const std::string how = o.attributes.text("written_as", "llama");
    const int64_t own = int64_t(element_size(type(o.inputs[0]).dtype));
    if (how == "t5" || !is_half(o.inputs[0])) save(o.inputs[0]);
    if (is_half(o.inputs[0])) save_numbers(numbers, kF32);
    save_numbers(rows, kF32);
    if (needs(o.inputs[1])) save_numbers(numbers, how == "gemma" ? kF32 : own);
    if (how == "gemma") save_numbers(type(o.inputs[1]).elements(), kF32, false);
  }

  void layer_norm(const Operation& o) {
    const Shape& x = type(o.inputs[0]).shape;
    if (o.attributes.text("written_as", "") == "cohere") {
      // What is left of the input without its mean, once for the variance and once for the product with the inverse
      // deviation, that inverse, and the product, all in f32.
      save_numbers(x.elements() * 3, kF32);
      save_numbers(x.elements(0, x.rank() - 1), kF32);
      if (is_half(o.inputs[1])) save_numbers(type(o.inputs[1]).elements(), kF32, false);
      return;
    }
    save(o.inputs[0]);
    const Count rows =
        o.op_name == "group_norm" ? Count(x[0]) * o.attributes.integer("num_groups", 1) : x.elements(0, x.rank() - 1);
    save_numbers(rows * 2, kF32);
  }

  // From single operations: the input, the tanh, half the input, and 1 + the tanh.
  void gelu(const Operation& o) {
    save(o.inputs[0]);
    if (o.attributes.text("written_as", "") == "pieces")
      save_numbers(type(o.inputs[0]).elements() * 3, int64_t(element_size(type(o.inputs[0]).dtype)));
  }

  // Cosines and sines of all positions are made once for all layers that turn alike.
  void rope(const Operation& o) {
    const auto frequencies = o.attributes.numbers("frequencies");
    const Shape& x = type(o.inputs[0]).shape;
    if (frequencies.empty() || !angles_.insert(frequencies).second) return;
    save_numbers(Count(x[1]) * int64_t(frequencies.size()) * 4, int64_t(element_size(type(o.inputs[0]).dtype)), false);
  }

  void attention(const Operation& o) {
    const Shape &q = type(o.inputs[0]).shape, &k = type(o.inputs[1]).shape, &v = type(o.inputs[2]).shape;
    const int64_t heads = o.attributes.integer("num_heads", 1), kv_heads = o.attributes.integer("kv_num_heads", heads);
    const int64_t own = int64_t(element_size(type(o.inputs[0]).dtype));
    const Count scores = Count(q[0]) * heads * q[1] * k[1];
    // Shared keys are written out for each head; one key for all is only looked at by all, unless attention is fused.
    const bool fused = form_ == AttentionForm::flash;
    const bool repeated = kv_heads != heads && (kv_heads > 1 || fused) && o.attributes.integer("repeats_keys", 0) != 0;
    causal_ = causal_ || o.attributes.integer("is_causal", 0) != 0;
    save(o.inputs[0]);
    if (repeated) {
      save_numbers(Count(k[0]) * k[1] * k[2] * (heads / kv_heads), own);
      save_numbers(Count(v[0]) * v[1] * v[2] * (heads / kv_heads), own);
    } else {
      save(o.inputs[1]);
      save(o.inputs[2]);
    }
    if (fused) {
      // Queries that were put together head by head give an output that the next layer reads as a copy.
      if (o.attributes.integer("heads_first", 0) != 0) save_numbers(type(o.outputs[0]).elements(), own);
      save(o.outputs[0]);
      save_numbers(Count(q[0]) * heads * q[1], kF32);
      save_numbers(Count(1), kRandomState);
      return;
    }
    save_numbers(scores, own);
    if (o.attributes.integer("upcast", 0) != 0 && own < kF32) save_numbers(scores, kF32);
    if (o.attributes.number("softcap", 0) != 0) save_numbers(scores, own);
  }

  // Each chosen expert's tokens, gathered; what its first layer gives, and its activation and product.
  void experts(const Operation& o) {
    const int64_t own = int64_t(element_size(type(o.inputs[0]).dtype));
    const Count chosen = type(o.inputs[1]).elements();
    const Shape &up = type(o.inputs[3]).shape, &down = type(o.inputs[4]).shape;
    save(o.inputs[1]);
    if (needs(o.inputs[3])) save_numbers(chosen * up[1] * 2, own);
    save_numbers(chosen * up[2], own);
    save_numbers(chosen * down[1] * (up[2] > down[1] ? 2 : 1), own);
  }

  void routing(const Operation& o) {
    save_numbers(type(o.inputs[0]).elements(), kF32);
    save_numbers(type(o.outputs[1]).elements(), kIndex);
  }

  // Step by step in plain PyTorch: decays, inputs and states of every position.
  void scan(const Operation& o) {
    for (const ValueId id : o.inputs) save(id);
    const Shape &x = type(o.inputs[0]).shape, &b = type(o.inputs[3]).shape;
    save_numbers(x.elements() * (b[2] / std::max<int64_t>(1, o.attributes.integer("groups", 1))) * 3, kF32);
  }

  // The losses of decoders compute in f32; those of masked words and of encoder-decoder pairs do not.
  void add_loss(ValueId scores) {
    // A second text is a decoder's of such a pair; a picture is not.
    const auto is_text = [&](ValueId id) { return type(id).dtype == DType::i64; };
    const bool decoder = causal_ && std::none_of(program_.inputs.begin() + 1, program_.inputs.end(), is_text) &&
                         (program_.inputs.size() == 1 || is_text(program_.inputs[0]));
    save_numbers(type(scores).elements(), decoder ? kF32 : int64_t(element_size(type(scores).dtype)));
    const Shape& shape = type(scores).shape;
    save_numbers(shape.elements(0, shape.rank() - 1), kIndex);
  }

  const Program& program_;
  const AttentionForm form_;
  std::vector<bool> needs_;
  std::vector<int32_t> root_;  // the value in whose memory it lies
  bool causal_ = false;
  size_t now_ = 0;  // the operation
  AutogradRecord record_;
  std::set<int32_t> saved_;
  std::set<std::vector<double>> angles_;
  Bytes total_;
};

}  // namespace

AutogradRecord autograd_record(const Program& forward, AttentionForm form) {
  Kept kept(forward, form);
  kept.run(false);
  return kept.record();
}

Bytes autograd_kept(const Program& forward, AttentionForm form, bool with_loss) {
  return Kept(forward, form).run(with_loss);
}

}  // namespace plimsoll
