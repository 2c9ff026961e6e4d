#include "model/onnx/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/file_beside.h"
#include "base/text.h"
#include "model/ir/bind.h"
#include "model/onnx/export_nodes.h"
#include "model/onnx/uncopied_data.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

constexpr int64_t kIrVersion = 8;
constexpr size_t kPiece = 256 << 10;  // numbers that are held at a time
constexpr uint32_t kBytesType = 2;
constexpr uint32_t kGraphField = onnx::ModelProto::kGraphFieldNumber;
constexpr uint32_t kInitializerField = onnx::GraphProto::kInitializerFieldNumber;
constexpr uint32_t kRawDataField = onnx::TensorProto::kRawDataFieldNumber;

struct Stored {
  ValueId id;
  std::string header;  // the TensorProto without its numbers
  int64_t bytes = 0;   // of its numbers
};

struct Model {
  onnx::GraphProto graph;  // without initializers
  std::vector<Stored> tensors;
};

std::string prefix(uint32_t field, int64_t length) {
  std::string out;
  append_tag(out, field, kBytesType);
  append_varint(out, uint64_t(length));
  return out;
}

void fill_value(onnx::ValueInfoProto& proto, const std::string& name, DType type, const SymbolicShape& shape) {
  proto.set_name(name);
  auto& tensor = *proto.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(int(onnx_of_dtype(type)));
  tensor.mutable_shape();
  for (const Dim& dim : shape) {
    auto& added = *tensor.mutable_shape()->add_dim();
    if (dim.is_symbolic()) added.set_dim_param(dim.symbol);
    else added.set_dim_value(dim.size);
  }
}

// The graph at two batches: what differs between them in an output's shape grows with the batch.
struct Bound {
  Program one, other;
};

Result<Bound> bind_twice(const Graph& graph) {
  const bool open = !graph.batch_symbol.empty();
  PLIM_ASSIGN(Program one, bind(graph, open ? BindOptions{.batch = 2} : BindOptions{}));
  PLIM_ASSIGN(Program other, bind(graph, open ? BindOptions{.batch = 3} : BindOptions{}));
  return Bound{std::move(one), std::move(other)};
}

Status add_outputs(const Graph& graph, const Bound& bound, const NodeWriter& writer, onnx::GraphProto& proto) {
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const auto &type = bound.one.value(bound.one.outputs[i]).type,
               &other = bound.other.value(bound.other.outputs[i]).type;
    const std::string& name = writer.name_of(graph.outputs[i]);
    if (!type || !other)
      return user_error(fmt::format("the type of the output {} is not known", plimsoll::in_quotes(name)));
    SymbolicShape shape;
    for (int axis = 0; axis < type->shape.rank(); ++axis) {
      const int64_t size = type->shape[axis];
      if (size == other->shape[axis]) shape.emplace_back(size);
      else shape.emplace_back(size == bound.one.batch ? graph.batch_symbol : fmt::format("output_{}_{}", i, axis));
    }
    fill_value(*proto.add_output(), name, type->dtype, shape);
  }
  return {};
}

Result<Stored> stored_tensor(const Graph& graph, ValueId id, const std::string& name) {
  const Value& value = graph.value(id);
  if (value.dtype != DType::f32)
    return user_error(
        fmt::format("tensor {} is {}, only f32 is exported", plimsoll::in_quotes(name), name_of(value.dtype)));
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  Count count(1);
  for (const Dim& dim : *value.shape) {
    proto.add_dims(dim.size);
    count = count * dim.size;
  }
  return Stored{id, proto.SerializeAsString(), count.value() * int64_t(sizeof(float))};
}

Result<Model> make_model(const Graph& graph, const Weights& weights) {
  PLIM_ASSIGN(const Bound bound, bind_twice(graph));
  Model model;
  model.graph.set_name(graph.name.empty() ? "network" : graph.name);
  NodeWriter writer(graph, bound.one, model.graph);
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.value(id);
    fill_value(*model.graph.add_input(), writer.name_of(id), value.dtype, *value.shape);
  }
  std::vector<bool> read(graph.values.size());
  for (const auto& node : graph.nodes)
    for (const ValueId id : node.inputs)
      if (id.present()) read[size_t(id.index)] = true;
  for (const ValueId id : graph.outputs) read[size_t(id.index)] = true;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    const ValueId id{int32_t(i)};
    if (!read[i] || value.role == Role::activation || value.role == Role::input) continue;
    const bool learned = value.role == Role::parameter || value.role == Role::buffer;
    if (learned && weights.has(value.name)) {
      PLIM_ASSIGN(Stored stored, stored_tensor(graph, id, writer.name_of(id)));
      model.tensors.push_back(std::move(stored));
    } else if (value.data) {
      writer.write_constant(writer.name_of(id), *value.data);
    } else {
      return user_error(
          fmt::format("tensor {} has no contents that could be exported", plimsoll::in_quotes(value.name)));
    }
  }
  for (const auto& node : graph.nodes) PLIM_TRY(writer.write(node));
  PLIM_TRY(add_outputs(graph, bound, writer, model.graph));
  return model;
}

std::string model_header(const Metadata& metadata) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("plimsoll");
  model.set_producer_version(PLIM_VERSION);
  model.add_opset_import()->set_version(kExportOpset);
  for (const auto& [key, value] : metadata) {
    auto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  return model.SerializeAsString();
}

// One file, or the second one that holds the weights.
class Writer {
 public:
  Writer(const Graph& graph, const Weights& weights) : graph_(graph), weights_(weights) {}

  Status numbers(FileBeside& file, const Stored& stored) {
    const std::string& name = graph_.value(stored.id).name;
    const auto count = size_t(stored.bytes) / sizeof(float);
    buffer_.resize(std::min(count, kPiece));
    for (size_t at = 0; at < count; at += kPiece) {
      const auto piece = std::span(buffer_).first(std::min(kPiece, count - at));
      PLIM_TRY(weights_.read(name, int64_t(at), piece));
      PLIM_TRY(file.write({reinterpret_cast<const char*>(piece.data()), piece.size_bytes()}));
    }
    return {};
  }

 private:
  const Graph& graph_;
  const Weights& weights_;
  std::vector<float> buffer_;
};

void make_external(Stored& stored, const std::string& location, int64_t offset) {
  onnx::TensorProto place;
  place.set_data_location(onnx::TensorProto::EXTERNAL);
  const auto add = [&](const std::string& key, const std::string& value) {
    auto& entry = *place.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", std::to_string(offset));
  add("length", std::to_string(stored.bytes));
  stored.header += place.SerializeAsString();
}

// The bytes of one initializer, with its numbers or without.
int64_t tensor_bytes(const Stored& stored, bool inside) {
  const auto header = int64_t(stored.header.size());
  return !inside ? header : header + int64_t(prefix(kRawDataField, stored.bytes).size()) + stored.bytes;
}

int64_t graph_bytes(const Model& model, const std::string& nodes, bool inside) {
  auto total = int64_t(nodes.size());
  for (const auto& stored : model.tensors) {
    const int64_t body = tensor_bytes(stored, inside);
    total += int64_t(prefix(kInitializerField, body).size()) + body;
  }
  return total;
}

}  // namespace

Result<Exported> export_onnx(const Graph& graph, const Weights& weights, const std::string& path,
                             const ExportOptions& options) {
  PLIM_ASSIGN(Model model, make_model(graph, weights));
  const std::string header = model_header(options.metadata), nodes = model.graph.SerializeAsString();
  const int64_t largest = options.largest_file - int64_t(header.size());
  const bool inside = options.numbers && graph_bytes(model, nodes, true) <= largest;
  Writer writer(graph, weights);
  Exported exported{.tensors = int64_t(model.tensors.size())};
  std::optional<FileBeside> beside;
  if (options.numbers && !inside) {
    PLIM_ASSIGN(FileBeside created, FileBeside::create(path + ".data"));
    beside.emplace(std::move(created));
    for (auto& stored : model.tensors) {
      make_external(stored, std::filesystem::path(path + ".data").filename().string(), exported.weight_bytes);
      PLIM_TRY(writer.numbers(*beside, stored));
      exported.weight_bytes += stored.bytes;
    }
  }
  const int64_t body = graph_bytes(model, nodes, inside);
  PLIM_ASSIGN(FileBeside file, FileBeside::create(path));
  PLIM_TRY(file.write(header + prefix(kGraphField, body) + nodes));
  for (const auto& stored : model.tensors) {
    std::string start = prefix(kInitializerField, tensor_bytes(stored, inside)) + stored.header;
    if (inside) start += prefix(kRawDataField, stored.bytes);
    PLIM_TRY(file.write(start));
    if (inside) PLIM_TRY(writer.numbers(file, stored));
  }
  if (beside) PLIM_TRY(beside->commit());
  PLIM_TRY(file.commit());
  exported.bytes = int64_t(header.size()) + int64_t(prefix(kGraphField, body).size()) + body;
  return exported;
}

}  // namespace plimsoll
