#include "model/onnx/restored_norms.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/onnx/node_metadata.h"
#include "model/onnx/opset.h"

namespace plimsoll {
namespace {

constexpr int kDeepNetwork = 20;  // convolutions; hardly anything so deep was ever trained without norms
constexpr int64_t kMostChannels = 1 << 20;
constexpr const char* kNormTensors[] = {"weight", "bias", "running_mean", "running_var"};

bool is_plain(const onnx::NodeProto& node, std::string_view op) {
  return node.op_type() == op && plain_domain(node.domain()).empty();
}

bool is_convolution(const onnx::NodeProto& node) { return is_plain(node, "Conv") || is_plain(node, "ConvTranspose"); }

// "onnx::Conv_193": the exporter that goes by TorchScript gives new numbers new names, and keeps those of a module's
// own.
bool is_made_up(const std::string& name) {
  constexpr std::string_view kStart = "onnx::Conv";
  return name.starts_with(kStart) && name.find_first_not_of("0123456789", name.rfind('_') + 1) == std::string::npos;
}

bool was_folded(const onnx::NodeProto& node) {
  if (!is_convolution(node) || node.input_size() < 2) return false;
  if (rewrite_rules(node).find("FuseBatchNormInto") != std::string::npos) return true;
  const auto scopes = module_scopes(node);
  if (!scopes.empty() && scopes.back().find("batch_norm") != std::string::npos) return true;
  return node.input_size() == 3 && is_made_up(node.input(1)) && is_made_up(node.input(2));
}

class Restoration {
 public:
  explicit Restoration(onnx::GraphProto& graph) : graph_(graph) {
    for (const auto& tensor : graph.initializer()) tensors_.emplace(tensor.name(), &tensor);
    for (const auto& node : graph.node())
      if (is_plain(node, "Identity") && node.input_size() == 1 && node.output_size() == 1)
        if (const auto found = tensors_.find(node.input(0)); found != tensors_.end())
          tensors_.emplace(node.output(0), found->second);
  }

  int run() {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> old;
    old.Swap(graph_.mutable_node());
    int restored = 0;
    for (auto& node : old) {
      const int64_t channels = was_folded(node) ? channels_of(node) : 0;
      auto& kept = *graph_.add_node() = std::move(node);
      if (channels == 0) continue;
      add_norm(kept, channels);
      ++restored;
    }
    remove_unread();
    for (auto& tensor : added_) *graph_.add_initializer() = std::move(tensor);
    return restored;
  }

 private:
  // 0: not known, or not to be believed.
  int64_t channels_of(const onnx::NodeProto& node) const {
    const auto weights = tensors_.find(node.input(1));
    if (weights == tensors_.end() || weights->second->dims_size() < 3 || node.output_size() != 1) return 0;
    int64_t channels = weights->second->dims(is_plain(node, "Conv") ? 0 : 1);
    if (!is_plain(node, "Conv"))
      for (const auto& attribute : node.attribute())
        if (attribute.name() == "group" && attribute.i() > 0 && attribute.i() < kMostChannels)
          channels *= attribute.i();
    return channels > 0 && channels <= kMostChannels ? channels : 0;
  }

  // The norm writes what the convolution wrote; the convolution has no bias then, as is usual before a norm.
  void add_norm(onnx::NodeProto& conv, int64_t channels) {
    const std::string output = conv.output(0);
    const auto& weights = *tensors_.at(conv.input(1));
    conv.set_output(0, output + "::before_norm");
    if (conv.input_size() > 2) biases_.insert(conv.input(2));
    while (conv.input_size() > 2) conv.mutable_input()->RemoveLast();
    auto& norm = *graph_.add_node();
    norm.set_op_type("BatchNormalization");
    norm.set_name(norm_name(conv));
    const std::string& weight = conv.input(1);
    if (!is_made_up(weight) && weight.ends_with(".weight")) conv.set_name(weight.substr(0, weight.rfind('.')));
    norm.add_input(conv.output(0));
    for (const char* part : kNormTensors) {
      auto& tensor = added_.emplace_back();
      tensor.set_name(fmt::format("{}::norm.{}", output, part));
      tensor.set_data_type(weights.data_type());
      tensor.add_dims(channels);
      norm.add_input(tensor.name());
    }
    norm.add_output(output);
  }

  // The biases that the norms had become.
  void remove_unread() {
    for (const auto& node : graph_.node())
      for (const auto& input : node.input()) biases_.erase(input);
    google::protobuf::RepeatedPtrField<onnx::TensorProto> old;
    old.Swap(graph_.mutable_initializer());
    for (auto& tensor : old)
      if (!biases_.contains(tensor.name())) *graph_.add_initializer() = std::move(tensor);
  }

  static std::string norm_name(const onnx::NodeProto& conv) {
    const auto scopes = module_scopes(conv);
    if (scopes.size() >= 2 && !scopes[scopes.size() - 2].empty() &&
        scopes.back().find("batch_norm") != std::string::npos)
      return scopes[scopes.size() - 2];
    return conv.name() + (conv.name().find('/') != std::string::npos ? "/norm" : ".norm");
  }

  onnx::GraphProto& graph_;
  std::unordered_map<std::string, const onnx::TensorProto*> tensors_;
  std::vector<onnx::TensorProto> added_;
  std::unordered_set<std::string> biases_;  // of convolutions that lost them
};

// Many convolutions, each with a bias, sums of branches, and no norm of any kind: hardly a network as it was trained.
bool looks_folded(const onnx::GraphProto& graph) {
  int convolutions = 0, biased = 0, norms = 0, sums = 0;
  for (const auto& node : graph.node()) {
    if (is_convolution(node)) {
      ++convolutions;
      biased += node.input_size() == 3 && !node.input(2).empty() ? 1 : 0;
    }
    norms += node.op_type().find("Normalization") != std::string::npos || node.op_type() == "LRN" ? 1 : 0;
    sums += is_plain(node, "Add") ? 1 : 0;
  }
  return convolutions >= kDeepNetwork && biased * 10 >= convolutions * 9 && norms == 0 && sums > 0;
}

}  // namespace

int64_t restore_norms(onnx::ModelProto& model, std::vector<std::string>& notes) {
  auto& graph = *model.mutable_graph();
  const bool any = std::any_of(graph.node().begin(), graph.node().end(), was_folded);
  const int restored = any ? Restoration(graph).run() : 0;
  if (restored > 0)
    notes.push_back(
        fmt::format("the exporter folded {} into the convolutions before; put back here, because training has them "
                    "(torch.onnx.export keeps them with optimize=False, or training=TrainingMode.PRESERVE)",
                    restored == 1 ? std::string("a batch norm") : fmt::format("{} batch norms", restored)));
  else if (looks_folded(graph))
    notes.push_back(
        "it has convolutions with biases and no norm: an export for inference, it seems. If batch norms were folded "
        "into "
        "the convolutions, training needs up to twice the memory that is planned here; export it with optimize=False");
  return int64_t{restored} * int64_t(std::size(kNormTensors));
}

}  // namespace plimsoll
