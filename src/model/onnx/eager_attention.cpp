#include "model/onnx/eager_attention.h"

#include <set>

namespace plimsoll {
namespace {

constexpr int kLongestChain = 12;  // links between the softmax and the product of queries and keys

class Marking {
 public:
  explicit Marking(Graph& graph) : graph_(graph), producers_(graph.values.size(), -1) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      for (const ValueId id : graph.nodes[n].outputs)
        if (id.present()) producers_[size_t(id.index)] = int64_t(n);
      for (const ValueId id : graph.nodes[n].inputs)
        if (id.present() && is_of_the_kernel(graph.nodes[n])) read_by_kernel_.insert(id);
    }
  }

  void run() {
    for (auto& node : graph_.nodes) {
      if (node.op_name != "softmax" || node.inputs.empty()) continue;
      const Node* product = scores_product(node.inputs[0], 0);
      const bool kernel = !node.outputs.empty() && read_by_kernel_.contains(node.outputs[0]);
      if (product && !kernel && !asks_for_the_kernel(*product)) node.attributes.set("eager", int64_t{1});
    }
  }

 private:
  // The guard against rows that see nothing, or the product with the values by its name.
  static bool is_of_the_kernel(const Node& node) {
    return node.op_name == "is_nan" || node.name.find("scaled_dot_product_attention") != std::string::npos;
  }

  const Node* producer(ValueId id) const {
    const int64_t n = id.present() ? producers_[size_t(id.index)] : -1;
    return n < 0 ? nullptr : &graph_.nodes[size_t(n)];
  }

  // Back through scales and masks.
  const Node* scores_product(ValueId at, int links) const {
    const Node* node = producer(at);
    if (!node || links > kLongestChain) return nullptr;
    if (node->op_name == "matmul") return node;
    if (node->op_name == "where" && node->inputs.size() == 3) {
      const Node* found = scores_product(node->inputs[1], links + kLongestChain / 2);
      return found ? found : scores_product(node->inputs[2], links + 1);
    }
    const bool two = node->op_name == "add" || node->op_name == "mul" || node->op_name == "div";
    if (!two && node->op_name != "cast" && node->op_name != "reshape" && node->op_name != "identity") return nullptr;
    if (node->inputs.empty()) return nullptr;
    const Node* found = scores_product(node->inputs[0], links + 1);
    return found || !two || node->inputs.size() < 2 ? found
                                                    : scores_product(node->inputs[1], links + kLongestChain / 2);
  }

  bool is_factor(ValueId id) const {
    if (!id.present()) return false;
    const Value& value = graph_.value(id);
    if (value.role == Role::constant && value.shape) {
      int64_t elements = 1;
      for (const Dim& dim : *value.shape) elements *= dim.is_symbolic() ? 2 : dim.size;
      return elements == 1;
    }
    const Node* node = producer(id);
    return node && (node->op_name == "sqrt" || node->op_name == "pow");
  }

  bool is_scaled(ValueId id) const {
    const Node* node = producer(id);
    return node && node->op_name == "mul" && node->inputs.size() == 2 &&
           (is_factor(node->inputs[0]) || is_factor(node->inputs[1]));
  }

  // Written out from one operation: an Attention, a fused product, or by an exporter.
  bool asks_for_the_kernel(const Node& product) const {
    if (product.attributes.has("transB")) return true;
    return product.inputs.size() == 2 && is_scaled(product.inputs[0]) && is_scaled(product.inputs[1]);
  }

  Graph& graph_;
  std::vector<int64_t> producers_;
  std::set<ValueId> read_by_kernel_;
};

}  // namespace

void mark_eager_attention(Graph& graph) { Marking(graph).run(); }

}  // namespace plimsoll
