#include "plan/llm/token_work.h"

#include <algorithm>
#include <map>

#include "plan/llm/adapters.h"

namespace plimsoll {
namespace {

constexpr double kF32 = 4;

// Kernels of an operation as transformers writes it, and the bytes that they pass over, for each number: forward,
// backward. A fused kernel reads and writes once.
struct Passes {
  double forward_bytes, backward_bytes, forward_kernels, backward_kernels;
};

Passes passes_of(const Operation& o, double own) {
  const std::string& op = o.op_name;
  const bool half = own < kF32;
  // To f32, squared, its mean, its root, multiplied, back, scaled.
  if (op == "rms_norm") return half ? Passes{34, 52, 7, 12} : Passes{32, 48, 6, 10};
  if (op == "rope") return {own * 9, own * 9, 6, 6};
  if (op == "layer_norm") return {own * 2.5, own * 5, 1, 2};
  if (op == "gelu" && o.attributes.text("written_as", "") == "pieces") return {own * 16, own * 24, 8, 12};
  if (op == "gather") return {own * 2, kF32 + own, 1, 2};
  if (op == "add") return {own * 3, own * 1.5, 1, 0.5};
  if (op == "mul") return {own * 3, own * 5, 1, 2};
  if (op == "cast") return {own + 3, own + 3, 1, 1};
  return {own * 2, own * 3, 1, 1};
}

class Working {
 public:
  Working(const TokenForm& form, const TrainingSetup& setup) : form_(form), program_(form.forward), setup_(setup) {}

  TokenWork run() {
    work_.sequence = form_.sequence;
    work_.blocks = form_.blocks;
    work_.parameters = form_.params();
    work_.trained = form_.trained();
    work_.element = setup_.format == TokenFormat::f32 ? kF32 : 2;
    find_what_samples_change();
    std::vector<TokenGroup> blocks(size_t(form_.blocks) + 2);
    for (size_t i = 0; i < program_.operations.size(); ++i) add(i, blocks[size_t(form_.block[i] + 1)]);
    for (const auto& tensor : form_.tensors) count(tensor, blocks[size_t(tensor.block + 1)]);
    if (form_.head) add_loss(blocks.back());
    join(blocks);
    return std::move(work_);
  }

 private:
  const TensorType& type(ValueId id) const { return *program_.value(id).type; }
  bool needs(ValueId id) const { return id.present() && form_.autograd.needs[size_t(id.index)]; }
  static double numbers_of(const TensorType& type) { return double(type.elements().value()); }

  // Casts of weights and sums of positions are the same for every sample.
  void find_what_samples_change() {
    of_sample_.assign(program_.values.size(), false);
    for (const ValueId id : program_.inputs) of_sample_[size_t(id.index)] = true;
    for (const auto& o : program_.operations) {
      const bool reads = std::any_of(o.inputs.begin(), o.inputs.end(),
                                     [&](ValueId id) { return id.present() && of_sample_[size_t(id.index)]; });
      for (const ValueId id : o.outputs)
        if (reads && id.present()) of_sample_[size_t(id.index)] = true;
    }
  }

  void count(const TokenTensor& tensor, TokenGroup& group) const {
    (tensor.expert ? group.expert_parameters : group.parameters) += tensor.numbers;
    if (tensor.trained) (tensor.expert ? group.expert_trained : group.trained) += tensor.numbers;
  }

  void add(size_t i, TokenGroup& group) {
    const Operation& o = program_.operations[i];
    group.in_stack = form_.block[i] >= 0 && form_.block[i] < form_.blocks;
    if (o.outputs.empty() || !o.outputs[0].present() || !program_.value(o.outputs[0]).type) return;
    if (form_.autograd.root[size_t(o.outputs[0].index)] != o.outputs[0].index) return;  // a view
    TokenOperation work;
    work.name = o.name;
    work.data_gradient = needs(o.outputs[0]);
    const double own = double(element_size(type(o.outputs[0]).dtype));
    if (o.op_name == "grouped_attention") attention(o, work, group, own);
    else if (o.op_name == "experts") experts(o, work, group, own);
    else if (o.cost.macs.value() > 0) product(o, work, own, i);
    else pass(o, work, group, own);
    if (form_.block[i] == form_.blocks && !work.once) see_scored(work);
    work_.model_flops += needed_flops(work);
    group.operations.push_back(work);
  }

  // What follows the stack is done for the tokens that are scored.
  void see_scored(TokenOperation& work) const {
    for (double* of_tokens : {&work.columns, &work.flops, &work.forward_bytes, &work.backward_bytes})
      *of_tokens *= setup_.habits.scored;
  }

  // A product forward, one for the gradient of what it reads, one for that of its weights; nothing that is done again.
  static double needed_flops(const TokenOperation& work) {
    if (work.kernel == TokenKernel::pass) return 0;
    if (work.kernel == TokenKernel::attention) return work.flops * (work.data_gradient ? 3 : 1);
    return work.flops * (1 + double(work.data_gradient) + double(work.weight_gradient));
  }

  void product(const Operation& o, TokenOperation& work, double own, size_t i) const {
    work.kernel = TokenKernel::product;
    const TensorType& out = type(o.outputs[0]);
    work.rows = double(out.shape[out.shape.rank() - 1]);
    work.columns = numbers_of(out) / work.rows;
    work.flops = 2 * double(o.cost.macs.value());
    work.depth = work.flops / 2 / std::max(1.0, work.rows * work.columns);
    work.forward_bytes = own * (work.columns * (work.rows + work.depth));
    work.weight_bytes = own * work.rows * work.depth;
    work.weight_gradient = o.inputs.size() > 1 && needs(o.inputs[1]);
    work.data_gradient = needs(o.inputs[0]);
    if (o.inputs.size() > 2 && needs(o.inputs[2])) work.backward_bytes = own * numbers_of(out);  // summed for the bias
    work.divided = true;
    if (setup_.tuning.quantised() && i < program_.operations.size() && o.op_name == "linear")
      work.quantised = !work.weight_gradient && o.name.find(kAdapter) == std::string::npos;
  }

  void experts(const Operation& o, TokenOperation& work, TokenGroup& group, double own) const {
    const Shape &up = type(o.inputs[3]).shape, &down = type(o.inputs[4]).shape;
    const double chosen = numbers_of(type(o.inputs[1]));
    work.kernel = TokenKernel::experts;
    work.groups = double(up[0]);
    work.columns = chosen;
    work.rows = double(up[2]) + double(down[1]);
    work.depth = double(up[1]);
    work.flops = 2 * double(o.cost.macs.value());
    work.forward_bytes = own * chosen * (4 * double(up[1]) + 2 * double(up[2]) + 2 * double(down[1]));
    work.weight_bytes = own * double((type(o.inputs[3]).elements() + type(o.inputs[4]).elements()).value());
    work.weight_gradient = needs(o.inputs[3]);
    work.forward_kernels = 8;
    work.backward_kernels = 14;
    work.divided = true;
    group.sent += own * chosen * double(up[1]);
  }

  void attention(const Operation& o, TokenOperation& work, TokenGroup& group, double own) const {
    work.kernel = TokenKernel::attention;
    work.divided = true;
    work.flops = 2 * double(o.cost.macs.value());
    const TensorType &q = type(o.inputs[0]), &k = type(o.inputs[1]), &v = type(o.inputs[2]);
    const double seen = double(k.shape[1]), heads = double(o.attributes.integer("num_heads", 1));
    work.columns = double(q.shape[1]);
    work.rows = heads;
    work.depth = double(q.shape[2]) / heads;
    const double window = double(std::max(o.attributes.integer("window", 0), o.attributes.integer("chunk", 0)));
    if (o.attributes.integer("is_causal", 0) != 0) work.hidden = 0.5;
    if (window > 0 && window < seen) work.hidden = 1 - std::min(1 - work.hidden, window / seen);
    work.forward_bytes = own * (numbers_of(q) * 2 + numbers_of(k) + numbers_of(v));
    group.cache = own * (numbers_of(k) + numbers_of(v));
    if (setup_.attention != AttentionKernel::eager) {
      work.backward_kernels = 3;
      return;
    }
    // Scores, mask, softmax in f32, back, and both products read or write them.
    const double scores = heads * work.columns * seen;
    work.hidden = 0;
    work.forward_bytes += scores * (own * 7 + (own < kF32 ? kF32 * 2 : 0));
    work.backward_bytes = scores * (own * 8 + (own < kF32 ? kF32 * 3 : 0));
    work.forward_kernels = 6;
    work.backward_kernels = 9;
  }

  void pass(const Operation& o, TokenOperation& work, TokenGroup& group, double own) const {
    const Passes passes = passes_of(o, own);
    const double numbers = numbers_of(type(o.outputs[0]));
    work.forward_bytes = passes.forward_bytes * numbers;
    work.backward_bytes = passes.backward_bytes * numbers;
    work.forward_kernels = passes.forward_kernels;
    work.backward_kernels = passes.backward_kernels;
    work.once = !of_sample_[size_t(o.outputs[0].index)];
    if (o.op_name == "add" && group.in_stack) group.state = std::max(group.state, own * numbers);
  }

  // Scores read and written by cast, softmax and their gradients.
  void add_loss(TokenGroup& group) const {
    const double scores = double(form_.vocabulary) * double(form_.sequence) * setup_.habits.scored;
    TokenOperation loss;
    loss.name = "loss";
    loss.forward_bytes = scores * (setup_.logits == LogitsKind::f32 ? 2 + 4 + 4 + 4 : 2 + 2);
    loss.backward_bytes = scores * (setup_.logits == LogitsKind::f32 ? 4 + 4 + 4 + 4 + 2 : 2 + 2 + 2);
    loss.forward_kernels = 3;
    loss.backward_kernels = 4;
    loss.data_gradient = true;
    loss.divided = true;
    group.operations.push_back(loss);
  }

  static bool alike(const TokenGroup& a, const TokenGroup& b) {
    if (a.operations.size() != b.operations.size() || a.parameters != b.parameters || a.in_stack != b.in_stack ||
        a.expert_parameters != b.expert_parameters || a.trained != b.trained)
      return false;
    return std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(),
                      [](const TokenOperation& x, const TokenOperation& y) {
                        return x.flops == y.flops && x.forward_bytes == y.forward_bytes && x.hidden == y.hidden &&
                               x.weight_gradient == y.weight_gradient && x.data_gradient == y.data_gradient;
                      });
  }

  void join(std::vector<TokenGroup>& blocks) {
    for (auto& block : blocks) {
      auto& groups = work_.groups;
      const auto found =
          std::find_if(groups.begin(), groups.end(), [&](const TokenGroup& group) { return alike(group, block); });
      if (found != groups.end() && block.in_stack) found->count += 1;
      else groups.push_back(std::move(block));
    }
  }

  const TokenForm& form_;
  const Program& program_;
  const TrainingSetup& setup_;
  std::vector<bool> of_sample_;  // of each value
  TokenWork work_;
};

}  // namespace

TokenWork token_work(const TokenForm& form, const TrainingSetup& setup) { return Working(form, setup).run(); }

}  // namespace plimsoll
