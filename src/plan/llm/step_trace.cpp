#include "plan/llm/step_trace.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {
namespace {

constexpr double kF32 = 4;

class Tracing {
 public:
  Tracing(const TokenForm& form, const TrainingSetup& setup)
      : form_(form),
        program_(form.forward),
        setup_(setup),
        fused_(setup.degrees.within_model()),
        tensor_of_(program_.values.size(), -1) {}

  StepTrace run() {
    trace_.blocks = form_.blocks;
    const bool chunked = setup_.logits == LogitsKind::chunked && form_.head;
    extras_.resize(program_.operations.size());
    for (size_t s = 0; s < form_.autograd.saved.size(); ++s)
      if (!form_.autograd.saved[s].value.present()) extras_[form_.autograd.saved[s].operation].push_back(s);
    for (const Operation& o : program_.operations)
      if (o.op_name == "silu" || o.op_name == "gelu") activations_.emplace(o.outputs[0].index, o.inputs[0]);
    const size_t end = chunked ? *form_.head : program_.operations.size();
    for (size_t i = 0; i < end; ++i) add(i);
    if (chunked) add_chunked_loss();
    else if (form_.head) add_loss();
    find_drops();
    return std::move(trace_);
  }

 private:
  const TensorType& type(ValueId id) const { return *program_.value(id).type; }
  ValueId root(ValueId id) const { return {form_.autograd.root[size_t(id.index)]}; }
  bool needs(ValueId id) const { return id.present() && form_.autograd.needs[size_t(id.index)]; }
  static double bytes_of_type(const TensorType& type) { return double(type.bytes().value()); }
  static double size_of(const TensorType& type) { return double(element_size(type.dtype)); }

  int32_t tensor(TraceTensor tensor) {
    trace_.tensors.push_back(tensor);
    return int32_t(trace_.tensors.size()) - 1;
  }

  int32_t known(ValueId id) const { return id.present() ? tensor_of_[size_t(root(id).index)] : -1; }

  void add(size_t i) {
    const Operation& o = program_.operations[i];
    if (o.outputs.empty() || !o.outputs[0].present() || !program_.value(o.outputs[0]).type) return;
    if (root(o.outputs[0]) != o.outputs[0]) return;  // a view
    TraceOperation step;
    step.block = form_.block[i];
    step.name = o.name;
    make_outputs(o, step);
    keep(i, step);
    step.backward = needs(o.outputs[0]);
    if (step.backward) flow(o, step);
    step.hands_on = o.op_name == "add";
    scratch(o, step);
    trace_.operations.push_back(std::move(step));
  }

  void make_outputs(const Operation& o, TraceOperation& step) {
    const bool attends = o.op_name == "grouped_attention";
    for (size_t k = 0; k < (attends ? 1 : o.outputs.size()); ++k) {
      const ValueId id = o.outputs[k];
      if (!id.present() || !program_.value(id).type || program_.value(id).role == Role::buffer) continue;
      const bool product = attends || o.cost.macs.value() > 0;
      tensor_of_[size_t(id.index)] = tensor({bytes_of_type(type(id)), true, is_scores(o, step.block), product});
      step.makes.push_back(tensor_of_[size_t(id.index)]);
    }
  }

  bool is_scores(const Operation& o, int32_t block) const {
    if (!form_.head || o.outputs.empty()) return false;
    const Shape& shape = type(o.outputs[0]).shape;
    return shape.rank() > 0 && shape[shape.rank() - 1] == form_.vocabulary && o.cost.macs.value() > 0 &&
           block == form_.blocks;
  }

  void keep(size_t i, TraceOperation& step) {
    const Operation& o = program_.operations[i];
    const bool narrow = setup_.format == TokenFormat::fp8 && o.op_name == "linear";
    for (const ValueId id : form_.autograd.reads[i]) {
      int32_t read = known(fused_ ? before_activation(id) : id);
      if (read < 0) continue;
      // Transformer Engine keeps what a product reads in 8 bits.
      if (narrow) {
        read = tensor({trace_.tensors[size_t(read)].bytes / 2, true, false, false});
        step.makes.push_back(read);
      }
      step.reads.push_back(read);
    }
    if (saves_input(o)) step.reads.push_back(saved_input(known(o.inputs[0]), step));
    // Samples in one sequence see only themselves: PyTorch's own attention is given that as a mask, one for all layers.
    if (setup_.packing && setup_.attention != AttentionKernel::flash && !masked_ && o.op_name == "grouped_attention") {
      const double tokens = double(form_.sequence);
      const int32_t mask = tensor({tokens * tokens * size_of(type(o.outputs[0])), true, false, false});
      step.makes.push_back(mask);
      step.reads.push_back(mask);
      masked_ = true;
    }
    // Values cut from one packed layer keep all of its result.
    if (setup_.habits.packed_attention && is_packed(o)) {
      const int32_t rest = tensor({2 * bytes_of_type(type(o.inputs[2])), true, false, true});
      step.makes.push_back(rest);
      step.reads.push_back(rest);
    }
    if (fused_ && o.op_name == "rms_norm") {
      if (const int32_t x = known(o.inputs[0]); x >= 0) step.reads.push_back(x);
      return;
    }
    for (size_t k = 0; k < extras_[i].size(); ++k) {
      const SavedTensor& saved = form_.autograd.saved[extras_[i][k]];
      const double share = fused_ && o.op_name == "experts" ? fused_share(o, k) : 1;
      const int32_t made = tensor({double(saved.bytes.value()) * share, saved.of_samples, false, false});
      step.makes.push_back(made);
      step.reads.push_back(made);
    }
  }

  // A fused kernel for a gated MLP keeps what the activation reads, not what it gives.
  ValueId before_activation(ValueId id) const {
    const auto made = activations_.find(root(id).index);
    return made == activations_.end() ? id : made->second;
  }

  // Of what plain PyTorch keeps of experts (autograd_kept.cpp): tokens are gathered once, since their weights are
  // applied to the activation; activation and product are one.
  double fused_share(const Operation& o, size_t extra) const {
    const bool gathers = needs(o.inputs[3]);
    const bool gated = type(o.inputs[3]).shape[2] > type(o.inputs[4]).shape[1];
    if (gathers && extra == 0) return 0.5;
    return extra + 1 == (gathers ? 3U : 2U) && gated ? 0.5 : 1;
  }

  static bool is_packed(const Operation& o) {
    if (o.op_name != "grouped_attention") return false;
    const int64_t heads = o.attributes.integer("num_heads", 1);
    return o.attributes.integer("kv_num_heads", heads) == heads;
  }

  const TokenTensor* weight_of(const Operation& o) const {
    if (o.inputs.size() < 2 || !o.inputs[1].present()) return nullptr;
    const ValueId id = root(o.inputs[1]);
    const std::string& name = program_.value(id).name;
    if (program_.value(id).role != Role::buffer && program_.value(id).role != Role::parameter) return nullptr;
    for (const auto& tensor : form_.tensors)
      if (tensor.name == name) return &tensor;
    return nullptr;
  }

  bool saves_input(const Operation& o) const {
    if (setup_.habits.quantised_input_bytes == 0 || !setup_.tuning.quantised() || !is_product(o)) return false;
    return is_quantised(o) && needs(o.outputs[0]) && known(o.inputs[0]) >= 0;
  }

  // The input itself, or one wider copy for all that read it.
  int32_t saved_input(int32_t input, TraceOperation& step) {
    const TraceTensor& own = trace_.tensors[size_t(input)];
    if (setup_.habits.quantised_input_bytes <= 2) return input;
    auto [copy, made] = wide_inputs_.emplace(input, 0);
    if (made) {
      copy->second = tensor({own.bytes * setup_.habits.quantised_input_bytes / 2, true, false, false});
      step.makes.push_back(copy->second);
    }
    return copy->second;
  }

  static bool is_product(const Operation& o) { return o.op_name == "linear" || o.op_name == "matmul"; }

  bool is_quantised(const Operation& o) const {
    if (!setup_.tuning.quantised() || !is_product(o)) return false;
    const TokenTensor* weight = weight_of(o);
    return weight && weight->quantised;
  }

  void flow(const Operation& o, TraceOperation& step) {
    for (const ValueId id : o.outputs)
      if (const int32_t made = known(id); made >= 0 && needs(id)) step.from.push_back(made);
    for (size_t k = 0; k < o.inputs.size(); ++k) {
      const ValueId id = o.inputs[k];
      if (!needs(id)) continue;
      if (program_.value(root(id)).role == Role::parameter) {
        const bool expert = o.op_name == "experts";
        step.weight_gradients.emplace_back(double(type(id).elements().value()) * size_of(type(root(id))), expert);
      } else if (known(id) >= 0) {
        step.into.push_back(known(id));
      }
    }
  }

  // Pieces that PyTorch makes on its way and gives back at once.
  void scratch(const Operation& o, TraceOperation& step) {
    const std::string& op = o.op_name;
    const double numbers = double(type(o.inputs.empty() ? o.outputs[0] : o.inputs[0]).elements().value());
    const double own = size_of(type(o.outputs[0]));
    if (op == "rms_norm" && fused_) {
    } else if (op == "rms_norm") {
      step.forward_scratch = step.backward_scratch = kF32 * numbers;
      step.forward_pieces = 2;
      step.backward_pieces = 3;
    } else if (op == "rope") {
      step.forward_scratch = step.backward_scratch = own * numbers;
      step.forward_pieces = step.backward_pieces = 3;
    } else if (op == "grouped_attention") {
      attention_scratch(o, step, own);
    } else if (op == "experts") {
      step.backward_scratch = double(type(o.inputs[1]).elements().value()) * double(type(o.inputs[3]).shape[2]) * own;
    }
    if (is_quantised(o)) step.weight_scratch = weight_of(o)->numbers * own * copies_written_out();
  }

  // bitsandbytes packed from f16 when it still kept what a layer reads: a layer written out in f16 is copied to bf16.
  double copies_written_out() const {
    return setup_.habits.quantised_input_bytes > 0 && setup_.format == TokenFormat::bf16 ? 2 : 1;
  }

  void attention_scratch(const Operation& o, TraceOperation& step, double own) const {
    const Shape &q = type(o.inputs[0]).shape, &k = type(o.inputs[1]).shape;
    if (setup_.attention != AttentionKernel::eager) {
      step.backward_scratch = kF32 * double(q.elements().value());  // sums of the queries' gradients
      return;
    }
    const double scores = double(q[0]) * double(o.attributes.integer("num_heads", 1)) * double(q[1]) * double(k[1]);
    step.forward_scratch = step.backward_scratch = own * scores;
    step.forward_pieces = step.backward_pieces = own < kF32 ? 3 : 2;
  }

  // transformers: the scores in f32, their log-softmax, which stays, and back the gradients of both.
  void add_loss() {
    const ValueId output = program_.outputs[0];
    const int32_t scores = known(output);
    if (scores < 0 || !needs(output)) return;
    const double numbers = double(type(output).elements().value()), own = size_of(type(output));
    const bool upcast = setup_.logits == LogitsKind::f32 && own < kF32;
    const double size = setup_.logits == LogitsKind::f32 ? kF32 : own;
    if (fused_) return add_fused_loss(scores, numbers);
    trace_.held.push_back(scores);
    int32_t read = scores;
    if (upcast) {
      TraceOperation cast = loss_operation("loss.upcast");
      read = tensor({kF32 * numbers, true, true, false});
      cast.makes = {read};
      cast.from = {read};
      cast.into = {scores};
      trace_.operations.push_back(std::move(cast));
    }
    TraceOperation loss = loss_operation("loss.cross_entropy");
    const int32_t log_softmax = tensor({size * numbers, true, true, false});
    loss.makes = {log_softmax};
    loss.reads = {log_softmax};
    loss.into = {read};
    loss.backward_scratch = size * numbers;
    loss.logits = true;
    trace_.operations.push_back(std::move(loss));
    last_read_ = read;
  }

  // Megatron's: a copy in f32 becomes the exponents, which stay, and then the gradient, in place.
  void add_fused_loss(int32_t scores, double numbers) {
    TraceOperation loss = loss_operation("loss.fused_cross_entropy");
    const int32_t wide = tensor({kF32 * numbers, true, true, false});
    loss.makes = {wide};
    loss.reads = {wide};
    loss.into = {scores};
    loss.logits = true;
    trace_.operations.push_back(std::move(loss));
    last_read_ = scores;
  }

  TraceOperation loss_operation(const char* name) const {
    TraceOperation operation;
    operation.block = form_.blocks;
    operation.name = name;
    operation.backward = true;
    return operation;
  }

  // Head and loss in one, a part of the tokens at a time: as many scores at once as there are numbers in the stack's
  // states. Its gradient is made on the way forward.
  void add_chunked_loss() {
    const Operation& head = program_.operations[*form_.head];
    const int32_t x = known(head.inputs[0]);
    if (x < 0) return;
    const TensorType& states = type(head.inputs[0]);
    TraceOperation loss = loss_operation("loss.chunked");
    const int32_t gradient = tensor({bytes_of_type(states), true, true, false});
    loss.makes = {gradient};
    loss.reads = {gradient};
    loss.into = {x};
    loss.forward_scratch = (size_of(states) + kF32) * double(states.elements().value());
    loss.logits = true;
    loss.hands_on = true;
    const ValueId weight = head.inputs.size() > 1 ? head.inputs[1] : ValueId{};
    if (needs(weight)) loss.weight_gradients.emplace_back(bytes_of_type(type(weight)), false);
    trace_.operations.push_back(std::move(loss));
    last_read_ = x;
  }

  // A tensor is given back after its last reader, unless a backward pass reads it.
  void find_drops() {
    std::vector<int32_t> last(trace_.tensors.size(), -1);
    std::vector<int32_t> at(program_.operations.size(), -1);
    size_t step = 0;
    for (size_t i = 0; i < program_.operations.size() && step < trace_.operations.size(); ++i) {
      const Operation& o = program_.operations[i];
      const bool traced = trace_.operations[step].name == o.name && !trace_.operations[step].makes.empty() &&
                          !o.outputs.empty() && known(o.outputs[0]) == trace_.operations[step].makes[0];
      for (const ValueId id : o.inputs)
        if (const int32_t read = known(id); read >= 0) last[size_t(read)] = std::max(last[size_t(read)], int32_t(step));
      if (traced) ++step;
    }
    for (size_t k = 0; k < trace_.operations.size(); ++k)
      for (const int32_t made : trace_.operations[k].makes)
        last[size_t(made)] = std::max(last[size_t(made)], int32_t(k));
    if (last_read_ >= 0) last[size_t(last_read_)] = int32_t(trace_.operations.size()) - 1;
    for (size_t t = 0; t < last.size(); ++t)
      if (last[t] >= 0) trace_.operations[size_t(last[t])].drops.push_back(int32_t(t));
  }

  const TokenForm& form_;
  const Program& program_;
  const TrainingSetup& setup_;
  const bool fused_;                         // Megatron with Transformer Engine: kernels that keep less
  std::vector<int32_t> tensor_of_;           // by value
  std::map<int32_t, ValueId> activations_;   // by what an activation gives: what it reads
  std::vector<std::vector<size_t>> extras_;  // by operation: what it saves of its own
  std::map<int32_t, int32_t> wide_inputs_;   // by tensor: the copy that 4-bit layers keep
  bool masked_ = false;                      // the mask of packed samples is there
  int32_t last_read_ = -1;                   // by the loss
  StepTrace trace_;
};

}  // namespace

StepTrace step_trace(const TokenForm& form, const TrainingSetup& setup) { return Tracing(form, setup).run(); }

Bytes kept_for_backward(const StepTrace& trace, int64_t batch) {
  std::vector<bool> seen(trace.tensors.size());
  double bytes = 0;
  for (const auto& operation : trace.operations)
    for (const int32_t read : operation.reads) {
      if (read < 0 || seen[size_t(read)]) continue;
      seen[size_t(read)] = true;
      bytes += trace.tensors[size_t(read)].bytes_of(double(batch));
    }
  return Bytes(std::llround(bytes));
}

}  // namespace plimsoll
