// Opsets: which version of each domain's operations a file means, and the few operations whose
// meaning changed between versions in a way that their inputs and attributes do not show.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

using Opsets = std::map<std::string, int64_t, std::less<>>;  // domain, "" for ONNX's own → version

constexpr int64_t kOldestOpset = 7;
constexpr int64_t kNewestOpset = 24;
constexpr int64_t kNewestIr = 13;

// "" and "ai.onnx" are one domain.
inline std::string_view plain_domain(std::string_view domain) { return domain == "ai.onnx" ? "" : domain; }

// "Conv", or "com.microsoft:Gelu" outside the default domain.
std::string qualified_name(std::string_view domain, std::string_view op_type);

Result<Opsets> read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports);

// The opsets of a model, with notes on what is newer than we know.
Result<Opsets> model_opsets(const onnx::ModelProto& model, std::vector<std::string>& notes);

// Rewrites nodes of early opsets, in subgraphs too, so that they read like later ones.
void adapt_to_opset(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const Opsets& opsets);

}  // namespace plimsoll
