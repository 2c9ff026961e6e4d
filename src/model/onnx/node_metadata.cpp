#include "model/onnx/node_metadata.h"

#include "model/onnx/uncopied_data.h"

namespace plimsoll {
namespace {

constexpr uint32_t kMetadata = 9;
constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes", kRules = "pkg.onnxscript.rewriter.rule_name";
constexpr size_t kDeepestModule = 64;

std::string metadata(const onnx::NodeProto& node, std::string_view key) {
  for (const auto bytes : unknown_bytes(node.unknown_fields(), kMetadata)) {
    onnx::StringStringEntryProto entry;
    if (entry.ParseFromArray(bytes.data(), int(bytes.size())) && entry.key() == key) return entry.value();
  }
  return {};
}

}  // namespace

bool is_read_metadata(std::string_view key) { return key == kScopes || key == kRules; }

// The text of a list in Python: ['', 'layer1', 'layer1.0'].
std::vector<std::string> module_scopes(const onnx::NodeProto& node) {
  const std::string text = metadata(node, kScopes);
  std::vector<std::string> scopes;
  for (size_t at = 0; at < text.size() && scopes.size() < kDeepestModule;) {
    const size_t open = text.find_first_of("'\"", at);
    if (open == std::string::npos) break;
    const size_t close = text.find(text[open], open + 1);
    if (close == std::string::npos) break;
    scopes.push_back(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return scopes;
}

std::string rewrite_rules(const onnx::NodeProto& node) { return metadata(node, kRules); }

}  // namespace plimsoll
