#include "plan/llm/token_form.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "model/ir/bind.h"
#include "plan/llm/adapters.h"
#include "plan/memory/framework_autocast.h"

namespace plimsoll {
namespace {

// "model.layers.12" of "model.layers.12.mlp.up_proj"; empty outside of a stack.
std::string_view block_name(std::string_view name) {
  for (size_t i = 1; i < name.size(); ++i) {
    if (name[i - 1] != '.' || !std::isdigit(static_cast<unsigned char>(name[i]))) continue;
    const size_t end = name.find('.', i);
    return name.substr(0, end);
  }
  return {};
}

AttentionForm form_of(AttentionKernel kind) {
  return kind == AttentionKernel::eager ? AttentionForm::eager : AttentionForm::flash;
}

// FlashAttention reads shared keys where they are; PyTorch's own is given a copy for each head.
void set_attention(Graph& graph, AttentionKernel kind) {
  for (auto& node : graph.nodes) {
    if (node.op_name != "grouped_attention") continue;
    node.attributes.set("fused", int64_t{kind != AttentionKernel::eager});
    if (kind == AttentionKernel::flash) node.attributes.set("repeats_keys", int64_t{0});
  }
}

class Forming {
 public:
  explicit Forming(const TrainingSetup& setup) : setup_(setup) {}

  Result<TokenForm> run(Graph graph) {
    set_attention(graph, setup_.attention);
    const bool wide = setup_.format == TokenFormat::f32 || setup_.format == TokenFormat::amp;
    BindOptions options;
    options.batch = 1;
    options.parameters = options.activations = wide ? DType::f32 : DType::bf16;
    PLIM_ASSIGN(form_.forward, bind(graph, options));
    if (setup_.format == TokenFormat::amp) autocast(form_.forward, DType::bf16);
    PLIM_TRY(adapt(form_.forward, setup_.tuning, setup_.habits));
    form_.autograd = autograd_record(form_.forward, form_of(setup_.attention));
    find_blocks();
    find_sizes();
    find_tensors();
    return std::move(form_);
  }

 private:
  const Program& program() const { return form_.forward; }

  // What lies between two stacks belongs to the block before it.
  void find_blocks() {
    std::map<std::string, int32_t, std::less<>> known;
    int32_t now = -1;
    for (const auto& operation : program().operations) {
      const std::string_view name = block_name(operation.name);
      if (!name.empty()) now = known.emplace(std::string(name), int32_t(known.size())).first->second;
      form_.block.push_back(now);
    }
    form_.blocks = int32_t(known.size());
    for (size_t i = form_.block.size(); i-- > 0 && block_name(program().operations[i].name).empty();)
      if (!is_table_view(program().operations[i])) form_.block[i] = form_.blocks;
  }

  // The embedding's table under the head's name may stand anywhere.
  static bool is_table_view(const Operation& operation) { return operation.op_name == "identity"; }

  void find_sizes() {
    form_.sequence = program().value(program().inputs[0]).type->shape[1];
    // Heads are those of the text, where a picture's encoder stands before it; so is the width, the last block's.
    const auto& all = program().operations;
    const bool causal = std::any_of(all.begin(), all.end(), [](const Operation& o) {
      return o.op_name == "grouped_attention" && o.attributes.integer("is_causal", 0) != 0;
    });
    for (size_t i = 0; i < program().operations.size(); ++i) {
      const Operation& operation = program().operations[i];
      if (operation.op_name == "grouped_attention" && (!causal || operation.attributes.integer("is_causal", 0) != 0)) {
        form_.heads = std::max(form_.heads, operation.attributes.integer("num_heads", 1));
        const int64_t kv = operation.attributes.integer("kv_num_heads", form_.heads);
        form_.kv_heads = form_.kv_heads == 0 ? kv : std::min(form_.kv_heads, kv);
        form_.causal = form_.causal || operation.attributes.integer("is_causal", 0) != 0;
      }
      if (operation.op_name == "experts")
        form_.experts = std::max(form_.experts, program().value(operation.inputs[3]).type->shape[0]);
      if (operation.op_name == "add" && form_.block[i] >= 0 && form_.block[i] < form_.blocks) {
        const Shape& shape = program().value(operation.outputs[0]).type->shape;
        form_.width = shape[shape.rank() - 1];
      }
    }
    find_head();
  }

  // The last product after the stack, if its result is the network's.
  void find_head() {
    if (program().outputs.empty()) return;
    for (size_t i = program().operations.size(); i-- > 0 && form_.block[i] == form_.blocks;) {
      const Operation& operation = program().operations[i];
      if (operation.cost.macs.value() == 0) continue;
      const Shape& shape = program().value(operation.outputs[0]).type->shape;
      form_.vocabulary = shape[shape.rank() - 1];
      form_.head = i;
      return;
    }
  }

  void find_tensors() {
    std::vector<int32_t> index(program().values.size(), -1);
    for (size_t i = 0; i < program().values.size(); ++i) {
      const ProgramValue& value = program().values[i];
      if ((value.role != Role::parameter && value.role != Role::buffer) || !value.type) continue;
      index[i] = int32_t(form_.tensors.size());
      TokenTensor tensor;
      tensor.name = value.name;
      tensor.numbers = double(value.type->elements().value());
      tensor.bytes = double(element_size(value.type->dtype));
      tensor.trained = value.role == Role::parameter && is_floating(value.type->dtype);
      tensor.adapter = value.name.find(kAdapter) != std::string::npos;
      tensor.block = form_.blocks;
      form_.tensors.push_back(std::move(tensor));
    }
    std::vector<bool> seen(form_.tensors.size());
    for (size_t i = 0; i < program().operations.size(); ++i) read_tensors(i, index, seen);
  }

  void read_tensors(size_t i, const std::vector<int32_t>& index, std::vector<bool>& seen) {
    const Operation& operation = program().operations[i];
    for (size_t k = 0; k < operation.inputs.size(); ++k) {
      const ValueId id = operation.inputs[k];
      if (!id.present()) continue;
      const int32_t found = index[size_t(form_.autograd.root[size_t(id.index)])];
      if (found < 0) continue;
      TokenTensor& tensor = form_.tensors[size_t(found)];
      if (!seen[size_t(found)]) tensor.block = form_.block[i];
      seen[size_t(found)] = true;
      const bool layer = operation.op_name == "linear" || operation.op_name == "experts";
      const bool in_stack = form_.block[i] >= 0 && form_.block[i] < form_.blocks;
      tensor.expert = tensor.expert || (operation.op_name == "experts" && k >= 3);
      tensor.divided = tensor.divided || (layer && !tensor.adapter) || operation.op_name == "gather" || form_.head == i;
      tensor.table = tensor.table || operation.op_name == "gather" || form_.head == i;
      const bool head = form_.head == i && setup_.habits.quantised_head;
      if (setup_.tuning.quantised() && !tensor.trained && ((layer && in_stack && k != 0 && k != 2) || (head && k == 1)))
        tensor.quantised = true;
    }
  }

  const TrainingSetup& setup_;
  TokenForm form_;
};

}  // namespace

double TokenForm::params() const {
  double sum = 0;
  for (const auto& tensor : tensors)
    if (!tensor.adapter) sum += tensor.numbers;
  return sum;
}

double TokenForm::trained() const {
  double sum = 0;
  for (const auto& tensor : tensors)
    if (tensor.trained) sum += tensor.numbers;
  return sum;
}

bool is_of_tokens(const Graph& graph) {
  if (graph.inputs.empty() || graph.value(graph.inputs[0]).dtype != DType::i64) return false;
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return node.op_name == "grouped_attention" || node.op_name == "selective_scan" ||
           node.op_name == "gated_delta_rule";
  });
}

Result<TokenForm> token_form(const Graph& graph, const TrainingSetup& setup) { return Forming(setup).run(graph); }

}  // namespace plimsoll
